import json
import os
import pathlib
import tempfile
import threading
import time
import unittest

from trammel import Trammel

ANSWERS = json.loads((pathlib.Path(__file__).parent.parent / "testdata" / "answers.json").read_text())


class Client(unittest.TestCase):
    def setUp(self):
        tmp = tempfile.TemporaryDirectory()
        self.addCleanup(tmp.cleanup)
        self.dir = os.path.realpath(tmp.name)
        self.count = 0
        self.failures = []

    def program(self, stdout="", hex=None, stderr="", exit=0, sleep=None, flood=False, kill=False, **_):
        """Writes a stand-in for trammel-hook that keeps what it was told."""
        self.count += 1
        at = os.path.join(self.dir, f"hook-{self.count}")
        pathlib.Path(at + ".out").write_bytes(stdout.encode() if hex is None else bytes.fromhex(hex))
        lines = ["#!/bin/sh", f"cat > '{at}.in'", f"env > '{at}.env'", f"printf '%s ' \"$@\" > '{at}.args'"]
        if sleep:
            lines.append(f"exec sleep {sleep}")
        if flood:
            lines.append("exec yes '{\"decision\":\"allow\"}'")
        lines += [f"cat '{at}.out'", f"printf '%s' '{stderr}' >&2", "kill -9 $$" if kill else f"exit {exit}"]
        pathlib.Path(at).write_text("\n".join(lines) + "\n")
        os.chmod(at, 0o755)
        return at

    def client(self, answer=None, **options):
        answer = answer or {}
        options.setdefault("program", self.program(**answer))
        if "timeout" in answer:
            options["timeout"] = answer["timeout"] / 1000
        return Trammel("test-py", dir=self.dir, on_failure=lambda e, why: self.failures.append(why), on_notice=lambda text: None, **options)

    def test_answers(self):
        """FLOW-61: the same table as for JavaScript."""
        for c in ANSWERS:
            with self.subTest(c["name"]):
                self.failures.clear()
                session = self.client(c).session()
                call = session.before("run", {"command": "ls"}, id="1")
                self.assertEqual("runs" if call.proceed else "denied", c["call"])
                if "reason" in c:
                    self.assertEqual(call.reason, c["reason"])
                if not call.proceed:
                    self.assertTrue(call.reason)
                self.assertEqual(bool(self.failures), c.get("failed", False), self.failures)
                self.assertEqual("runs" if session.prompt("hello").proceed else "denied", c["call"])
                self.assertEqual("ends" if session.stop("done").resume is None else "goes on", c["end"])

    def test_what_is_sent(self):
        at = self.program('{"decision":"none"}')
        self.client(program=at, user="ada", agent="coder").session("s1").before("run", {"command": "ls"}, id="c1")
        self.assertEqual(
            json.loads(pathlib.Path(at + ".in").read_text()),
            {
                "event": "pre_tool_use",
                "host": "test-py",
                "session": {"id": "s1", "dir": self.dir, "user": "ada", "agent": "coder"},
                "tool": {"id": "c1", "name": "run", "input": {"command": "ls"}},
            },
        )
        self.assertEqual(pathlib.Path(at + ".args").read_text(), "native pre_tool_use ")
        env = pathlib.Path(at + ".env").read_text().splitlines()
        for line in ("FLOW_AGENTS_HOOK_RUNTIME=test-py", "FLOW_AGENTS_TELEMETRY_RUNTIME=test-py", "SA_HOOK_INPUT_TRUNCATED=0"):
            self.assertIn(line, env)

    def test_the_program(self):
        env, cwd = dict(os.environ), os.getcwd()
        self.addCleanup(lambda: (os.chdir(cwd), os.environ.clear(), os.environ.update(env)))
        folder = os.path.join(self.dir, "bin")
        os.mkdir(folder)
        pathlib.Path(folder, "trammel-hook").write_text("#!/bin/sh\necho '{\"decision\":\"allow\"}'\n")
        os.chmod(os.path.join(folder, "trammel-hook"), 0o755)
        os.environ["TRAMMEL_HOOK"] = os.path.join(self.dir, "missing")
        self.assertFalse(self.client(program=None).session().before("run").proceed)
        del os.environ["TRAMMEL_HOOK"]
        os.environ["PATH"] = folder + os.pathsep + env["PATH"]
        self.assertTrue(self.client(program=None).session().before("run").proceed)
        os.chdir(self.dir)
        os.environ["PATH"] = "bin" + os.pathsep
        self.assertIn("no trammel-hook on PATH", self.client(program=None).session().before("run").reason)

    def test_timeout_of_the_runtime(self):
        """FLOW-63"""
        name = "FLOW_AGENTS_TEST_PY_HOOK_TIMEOUT_MS"
        self.addCleanup(os.environ.pop, name, None)
        for value, want in (("70", 0.07), ("-1", 30), ("x", 30), ("0", 30), ("٣", 30)):
            os.environ[name] = value
            self.assertEqual(Trammel("test-py").timeout, want)

    def test_input_without_a_json_form_is_denied(self):
        cycle = {}
        cycle["cycle"] = cycle
        deep = []
        for _ in range(100_000):
            deep = [deep]
        session = self.client({"stdout": '{"decision":"allow"}'}).session()
        for input in (cycle, {"x": object()}, {"x": float("nan")}, {"x": deep}):
            self.assertFalse(session.before("run", input).proceed)

    def test_rewrites(self):
        session = self.client({"stdout": '{"decision":"none","input":{"command":"ls -l","prompt":"bye"},"output":"o","context":["c"]}'}).session()
        given = {"command": "ls", "keep": True}
        call = session.before("run", given)
        self.assertEqual((call.input["command"], call.input["keep"], given["command"]), ("ls -l", True, "ls"))
        self.assertEqual(session.prompt("hello").text, "bye\n\nc\n\nc")
        self.assertEqual(session.prompt("hello").text, "bye\n\nc")
        self.assertEqual(session.after("run", call, output="p").text, "o\n\nc\n\nc")

    def test_unchanged_output(self):
        session = self.client({"stdout": '{"decision":"none","output":"{\\"a\\": 1}"}'}).session()
        self.assertIsNone(session.after("run", session.before("run"), output={"a": 1}).text)

    def test_a_failed_call(self):
        at = self.program('{"decision":"none"}')
        session = self.client(program=at).session()
        session.after("run", session.before("run"), error=ValueError("broken"))
        tool = json.loads(pathlib.Path(at + ".in").read_text())["tool"]
        self.assertEqual((tool["failed"], tool["error"], tool["output"]), (True, "broken", "broken"))

    def test_ask(self):
        def away(*_):
            raise OSError("away")

        for approve, proceed in ((lambda *_: True, True), (lambda *_: False, False), (lambda *_: "yes", False), (lambda *_: 1, False), (lambda *_: None, False), (away, False)):
            call = self.client({"stdout": '{"decision":"ask","reason":"r","input":{"a":2}}', "exit": 2}, approve=approve).session().before("run", {"a": 1})
            self.assertEqual(call.proceed, proceed)
            if proceed:
                self.assertEqual(call.input, {"a": 2})

    def test_stop_is_bounded(self):
        at = self.program('{"decision":"deny","reason":"r"}', exit=2)
        session = self.client(program=at, max_continues=2).session()

        def active():
            return json.loads(pathlib.Path(at + ".in").read_text())["stop"]["active"]

        self.assertEqual((session.stop("x").resume, active()), ("r", False))
        self.assertEqual((session.stop("x").resume, active()), ("r", True))
        self.assertIsNone(session.stop("x").resume)

    def test_threads(self):
        trammel = self.client({"stdout": '{"decision":"none","context":["c"]}'})
        begun = []
        threads = [threading.Thread(target=lambda: begun.append(trammel.session("one").begin())) for _ in range(8)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.assertEqual(sorted(map(len, begun)), [0] * 7 + [1])

    def test_no_process_is_left(self):
        at = os.path.join(self.dir, "slow")
        pathlib.Path(at).write_text(f"#!/bin/sh\ntrap 'touch {at}.ended; exit 0' TERM\nsleep 5 & wait\n")
        os.chmod(at, 0o755)
        begin = time.monotonic()
        self.assertFalse(self.client(program=at, timeout=0.1).session().before("run").proceed)
        self.assertLess(time.monotonic() - begin, 3)
        self.assertTrue(os.path.exists(at + ".ended"))


if __name__ == "__main__":
    unittest.main()

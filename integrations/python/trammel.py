"""The client of trammel-hook: one process per event, Trammel's native JSON on
stdin, its verdict on stdout; the exit code is decisive. With server=, a server
is asked instead of a process.

A tool call or a prompt goes ahead only if the program was there, answered in
time with something valid, and did not object. After a tool has run, and when
the agent is about to end, a failure to answer blocks nothing; on_failure is
called then.

    session = Trammel(runtime="my-agent").session()
    prompt = session.prompt("clean up")
    call = session.before("shell", {"command": "ls"}, id="c1")
    if not call.proceed:
        ...  # tell the model call.reason instead of running the tool
    output = run(**call.input)
    output = session.after("shell", call, output=output).text or output
    if (again := session.stop("done").resume) is not None:
        ...  # go on, and tell the model again

Calls block; in a coroutine, use asyncio.to_thread.
"""

from __future__ import annotations

import http.client
import json
import os
import socket
import subprocess
import sys
import threading
import time
import urllib.parse
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

__all__ = ["Trammel", "Session", "Verdict", "Prompt", "Call", "Shown", "End"]

_MAX_OUTPUT = 16 << 20
_POLICY_TIMEOUT = 30.0
_MAX_SESSIONS = 4096
_PREVENTS = frozenset({"pre_tool_use", "user_prompt_submit"})
_DECISIONS = frozenset({"none", "allow", "ask", "deny"})


@dataclass
class Verdict:
    """What Trammel said about one event."""

    decision: str
    reason: str | None = None
    input: dict[str, Any] | None = None  # a patch of the tool's arguments
    output: str | None = None  # replaces the tool's output
    context: list[str] = field(default_factory=list)
    notice: str | None = None
    granted: bool = False
    canceled: bool = False
    failure: str | None = None  # why Trammel could not be asked, if it could not

    @property
    def proceed(self) -> bool:
        return self.decision in ("none", "allow") and not self.canceled


@dataclass
class Prompt:
    proceed: bool
    text: str = ""  # what to go on with, with what Trammel tells the model in it
    reason: str = ""


@dataclass
class Call:
    proceed: bool
    input: dict[str, Any] = field(default_factory=dict)  # what to call the tool with
    reason: str = ""
    id: str | None = None
    context: list[str] = field(default_factory=list)
    started: float = field(default_factory=time.monotonic)


@dataclass
class Shown:
    text: str | None = None  # what the model should see instead of the output


@dataclass
class End:
    resume: str | None = None  # what to tell the model if it has to go on


class _Failure(Exception):
    pass


class Trammel:
    """Asks trammel-hook about the events of one runtime. It is safe for threads."""

    def __init__(
        self,
        runtime: str = "native",
        *,
        program: str | None = None,  # else $TRAMMEL_HOOK, else looked for on PATH
        server: str | None = None,  # asked instead of a program: http(s)://host:port or unix:/path
        token: str | None = None,  # for the server; else $TRAMMEL_TOKEN; a socket needs none
        timeout: float | None = None,  # seconds; else $FLOW_AGENTS_<RUNTIME>_HOOK_TIMEOUT_MS, else 30
        dir: str | None = None,  # the project that the agent works on
        user: str | None = None,
        agent: str | None = None,
        model: str | None = None,
        approve: Callable[[str, dict[str, Any], str], bool] | None = None,  # asks a person; without it, ask means deny
        max_continues: int = 8,
        on_notice: Callable[[str], None] | None = None,
        on_failure: Callable[[str, str], None] | None = None,
    ) -> None:
        self.runtime = runtime
        self.dir = os.path.abspath(dir or os.getcwd())
        self.about = {k: v for k, v in {"user": user, "agent": agent, "model": model}.items() if v}
        self.approve = approve
        self.max_continues = max_continues
        self.on_notice = on_notice or (lambda text: print(f"trammel: {text}", file=sys.stderr))
        self.on_failure = on_failure or (lambda event, why: print(f"trammel: {event}: {why}", file=sys.stderr))
        # The environment is read once: what a tool does to it later does not
        # choose another program.
        self._env = {**os.environ, "FLOW_AGENTS_HOOK_RUNTIME": runtime, "FLOW_AGENTS_TELEMETRY_RUNTIME": runtime, "SA_HOOK_INPUT_TRUNCATED": "0"}
        self._program = program or self._env.get("TRAMMEL_HOOK")
        self._server, self._token = server, token or self._env.get("TRAMMEL_TOKEN")
        self.timeout = timeout or _timeout_of(runtime, self._env)
        self._lock = threading.Lock()
        self._sessions: dict[str, Session] = {}

    def session(self, id: str | None = None, **about: str) -> Session:
        """The session of this id, the same object for the same id."""
        id = id or str(uuid.uuid4())
        with self._lock:
            if id not in self._sessions:
                if len(self._sessions) >= _MAX_SESSIONS:
                    del self._sessions[next(iter(self._sessions))]
                self._sessions[id] = Session(self, id, {**self.about, **about})
            return self._sessions[id]

    def ask(self, event: str, **parts: Any) -> Verdict:
        """Asks about one event. The verdict says whether to go on."""
        try:
            payload = json.dumps({"event": event, "host": self.runtime, **parts}, allow_nan=False).encode()
            verdict = _read(*self._exchange(event, payload))
        except (_Failure, OSError, ValueError, TypeError, RecursionError) as error:
            verdict = Verdict("none", failure=str(error) or type(error).__name__)
        if verdict.failure is not None:
            self.on_failure(event, verdict.failure)
            if event in _PREVENTS:
                verdict.decision = "deny"
                verdict.reason = f"Trammel could not judge this, so it does not happen: {verdict.failure}"
        if verdict.notice:
            self.on_notice(verdict.notice)
        return verdict

    def _exchange(self, event: str, payload: bytes) -> tuple[int, bytes, str]:
        if self._server:
            return _post(self._server, self._token, payload, self.timeout)
        self._program = self._program or _find("trammel-hook", self._env.get("PATH", ""))
        return _exchange([self._program, "native", event], payload, self._env, self.dir, self.timeout)


class Session:
    """One conversation of an agent, with the events in its course."""

    def __init__(self, trammel: Trammel, id: str, about: dict[str, str]) -> None:
        self._trammel, self.id, self._about = trammel, id, about
        self._lock = threading.Lock()
        self._begun = False
        self._continues = 0

    def begin(self, source: str = "startup") -> list[str]:
        """Reports session_start, the first time only, and returns its context."""
        with self._lock:
            if self._begun:
                return []
            self._begun = True
            return self._ask("session_start", source=source).context

    def prompt(self, text: str) -> Prompt:
        """Judges a prompt."""
        started = self.begin()
        self._continues = 0
        v = self._ask("user_prompt_submit", prompt={"text": text})
        if not v.proceed:
            return Prompt(False, reason=_reason(v, "This prompt was denied."))
        final = (v.input or {}).get("prompt")
        return Prompt(True, _with_notes(final if isinstance(final, str) else text, [*started, *v.context]))

    def before(self, name: str, input: dict[str, Any] | None = None, *, id: str | None = None) -> Call:
        """Judges a tool call."""
        args = {} if input is None else input
        v = self._ask("pre_tool_use", tool=_without_none(id=id, name=name, input=args))
        proceed = v.proceed
        final = args if v.input is None or not isinstance(args, dict) else {**args, **v.input}
        if v.decision == "ask" and not v.canceled and self._trammel.approve:
            proceed = self._consent(name, final, v.reason or "")
        if not proceed:
            return Call(False, reason=_reason(v, f"The call of {name} was denied."), id=id)
        return Call(True, final, id=id, context=v.context)

    def after(self, name: str, call: Call, *, output: Any = None, error: BaseException | str | None = None) -> Shown:
        """Reports a call that has run."""
        # An error is what the model sees of a call that failed.
        shown = _text(output) or (_text(error) if error is not None else "")
        tool = _without_none(id=call.id, name=name, input=call.input, output=shown, duration_ms=round((time.monotonic() - call.started) * 1000))
        if error is not None:
            tool.update(error=_text(error), failed=True)
        v = self._ask("post_tool_use", tool=tool)
        notes = [*call.context, *([v.reason or "This was not right."] if v.decision == "deny" else []), *v.context]
        text = _with_notes(shown if v.output is None else v.output, notes)
        return Shown(None if text == shown else text)

    def stop(self, message: str = "") -> End:
        """Judges the end of the agent's work. After max_continues times in a row it may end."""
        v = self._ask("stop", stop={"message": _text(message), "active": self._continues > 0})
        if v.decision != "deny" or self._continues >= self._trammel.max_continues:
            return End()
        self._continues += 1
        return End(_with_notes(v.reason or "The work is not done.", v.context))

    def _ask(self, event: str, **parts: Any) -> Verdict:
        return self._trammel.ask(event, session={"id": self.id, "dir": self._trammel.dir, **self._about}, **parts)

    def _consent(self, name: str, input: dict[str, Any], reason: str) -> bool:
        try:
            return self._trammel.approve(name, input, reason) is True
        except Exception as error:
            self._trammel.on_failure("pre_tool_use", f"approve failed: {error}")
            return False


def _reason(v: Verdict, otherwise: str) -> str:
    if v.decision == "ask":
        return f"A person has to agree first. {v.reason or ''}".strip()
    if v.canceled:
        return "Trammel was interrupted before it could judge this."
    return v.reason or otherwise


def _text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, (str, BaseException)):
        return str(value)
    try:
        return json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        return str(value)


def _with_notes(text: str, notes: list[str]) -> str:
    return "\n\n".join(part for part in [text, *notes] if part) if notes else text


def _without_none(**parts: Any) -> dict[str, Any]:
    return {k: v for k, v in parts.items() if v is not None}


def _timeout_of(runtime: str, env: dict[str, str]) -> float:
    name = runtime.upper().replace("-", "_")
    ms = env.get(f"FLOW_AGENTS_{name}_HOOK_TIMEOUT_MS", "")
    return min(int(ms), 3_600_000) / 1000 if ms.isascii() and ms.isdigit() and int(ms) > 0 else _POLICY_TIMEOUT


def _find(name: str, dirs: str) -> str:
    """Looks in the absolute directories of PATH only: one that is relative to
    where the agent works is the agent's to fill."""
    file = name + (".exe" if os.name == "nt" else "")
    for dir in dirs.split(os.pathsep):
        at = os.path.join(dir, file)
        if os.path.isabs(dir) and os.path.isfile(at) and os.access(at, os.X_OK):
            return at
    raise _Failure(f"no {name} on PATH; install Trammel or set TRAMMEL_HOOK")


def _exchange(argv: list[str], payload: bytes, env: dict[str, str], cwd: str, timeout: float) -> tuple[int, bytes, str]:
    try:
        child = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env, cwd=cwd)
    except (OSError, ValueError) as error:
        raise _Failure(f"cannot start {argv[0]}: {error}") from error
    read: dict[str, bytes] = {}
    flooded = threading.Event()

    def drain(key: str, pipe: Any) -> None:
        with pipe:
            read[key] = pipe.read(_MAX_OUTPUT + 1)
        if len(read[key]) > _MAX_OUTPUT:
            flooded.set()
            child.terminate()

    def feed() -> None:
        try:
            with child.stdin:
                child.stdin.write(payload)
        except OSError:
            pass  # it need not read all to answer

    threads = [threading.Thread(target=t, args=a, daemon=True) for t, a in ((feed, ()), (drain, ("out", child.stdout)), (drain, ("err", child.stderr)))]
    deadline = time.monotonic() + timeout
    for thread in threads:
        thread.start()
    try:
        for thread in threads[1:]:
            thread.join(max(0.0, deadline - time.monotonic()))
        if flooded.is_set():
            raise _Failure(f"answered with more than {_MAX_OUTPUT} bytes")
        if any(thread.is_alive() for thread in threads[1:]):
            raise _Failure(f"no answer within {timeout * 1000:.0f} ms")
        try:
            child.wait(max(0.0, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            raise _Failure(f"no end within {timeout * 1000:.0f} ms") from None
    finally:
        _end(child)
    return child.returncode, read["out"], read["err"].decode("utf-8", "replace").strip()


class _Unix(http.client.HTTPConnection):
    """HTTP over a Unix socket."""

    def __init__(self, path: str, timeout: float) -> None:
        super().__init__("trammel", timeout=timeout)
        self._path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self._path)


def _post(server: str, token: str | None, payload: bytes, timeout: float) -> tuple[int, bytes, str]:
    """Asks a server; what it returns is what a process would have said."""
    url = urllib.parse.urlsplit(server)
    if url.scheme == "unix":
        connection: http.client.HTTPConnection = _Unix(url.path, timeout)
    elif url.scheme in ("http", "https") and url.hostname:
        kind = http.client.HTTPSConnection if url.scheme == "https" else http.client.HTTPConnection
        connection = kind(url.hostname, url.port, timeout=timeout)
    else:
        raise _Failure(f"{server} is neither http(s)://host:port nor unix:/path")
    headers = {"Content-Type": "application/json", **({"Authorization": f"Bearer {token}"} if token else {})}
    if timeout >= 1:
        headers["Prefer"] = f"wait={int(timeout)}"
    # The timeout of a socket is for each read; this one is for all of it.
    timer = threading.Timer(timeout, lambda: connection.sock and connection.sock.shutdown(socket.SHUT_RDWR))
    timer.daemon = True
    timer.start()
    try:
        connection.request("POST", "/v1/events", payload, headers)
        answer = connection.getresponse()
        body = answer.read(_MAX_OUTPUT + 1)
        exit = answer.headers.get("Trammel-Exit")
    except TimeoutError:
        raise _Failure(f"no answer within {timeout * 1000:.0f} ms") from None
    except (OSError, http.client.HTTPException) as error:
        raise _Failure(f"cannot reach {server}: {error or type(error).__name__}") from error
    finally:
        timer.cancel()
        connection.close()
    if len(body) > _MAX_OUTPUT:
        raise _Failure(f"answered with more than {_MAX_OUTPUT} bytes")
    if answer.status != 200 or exit not in ("0", "2"):
        raise _Failure(f"the server answered {answer.status}: {body[:500].decode('utf-8', 'replace')}")
    return int(exit), body, ""


def _end(child: subprocess.Popen[bytes]) -> None:
    if child.poll() is None:
        child.terminate()  # trammel-hook ends its own children
        try:
            child.wait(1)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()


def _read(exit: int, stdout: bytes, stderr: str) -> Verdict:
    """Takes a verdict only whole: the exit code and the JSON have to agree."""
    said = f": {stderr[:500]}" if stderr else ""
    if exit not in (0, 2):
        raise _Failure(f"ended with exit code {exit}{said}")
    try:
        v = json.loads(stdout.decode("utf-8"))
    except (ValueError, RecursionError):
        raise _Failure(f"answered with no JSON{said}") from None
    if not isinstance(v, dict) or not isinstance(v.get("decision"), str) or v["decision"] not in _DECISIONS:
        raise _Failure("answered without a decision")
    for key, kind in (("reason", str), ("notice", str), ("output", str), ("input", dict), ("context", list)):
        if key in v and not isinstance(v[key], kind):
            raise _Failure(f"answered with a {key} that is no {kind.__name__}")
    if any(not isinstance(text, str) for text in v.get("context", [])):
        raise _Failure("answered with a context that is no list of texts")
    verdict = Verdict(v["decision"], v.get("reason"), v.get("input"), v.get("output"), v.get("context", []), v.get("notice"), v.get("granted") is True, v.get("canceled") is True)
    if (exit == 0) != verdict.proceed:
        raise _Failure(f"exit code {exit} contradicts decision {verdict.decision}")
    return verdict

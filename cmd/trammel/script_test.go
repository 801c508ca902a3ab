package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/trammel-dev/trammel/test/programs"
)

var bin string

// The scripts drive the real programs, built once, as a user would.
func TestMain(m *testing.M) {
	os.Exit(func() int {
		dir, err := os.MkdirTemp("", "trammel-bin-*")
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer os.RemoveAll(dir)
		if err := programs.Isolated(dir); err != nil {
			fmt.Fprintln(os.Stderr, "building the programs:", err)
			return 1
		}
		bin = dir
		flag.Parse()
		if err := flag.Set("test.parallel", "6"); err != nil { // most wait for other programs
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		return m.Run()
	}())
}

func TestScripts(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("the scripts use a POSIX shell")
	}
	if testing.Short() {
		t.Skip("the scripts run other programs, in which the race detector sees nothing")
	}
	testscript.Run(t, testscript.Params{
		Dir: "testdata",
		Setup: func(env *testscript.Env) error {
			home := filepath.Join(env.WorkDir, "home")
			env.Setenv("HOME", home)
			env.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
			env.Setenv("BIN", bin)
			env.Setenv("CONF", filepath.Join(home, ".config", "trammel"))
			return os.MkdirAll(filepath.Join(home, ".config", "trammel"), 0o700)
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"rc":      exitCode,
			"payload": payload,
			"serve":   serve,
			"vote":    vote,
		},
		UpdateScripts: os.Getenv("UPDATE_SCRIPTS") != "",
	})
}

// rc CODE PROGRAM ARG… < stdin-file: runs a program and holds its exit code
// and output. A last argument of the form <FILE is its stdin. What it printed
// is in the files out and err.
func exitCode(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: rc CODE PROGRAM [ARG…] [<FILE]")
	}
	cmd := exec.Command(args[1])
	if path := filepath.Join(bin, args[1]); !strings.Contains(args[1], "/") {
		cmd = exec.Command(path)
	}
	for _, a := range args[2:] {
		if file, ok := strings.CutPrefix(a, "<"); ok {
			f, err := os.Open(ts.MkAbs(file))
			ts.Check(err)
			defer f.Close()
			cmd.Stdin = f
			continue
		}
		cmd.Args = append(cmd.Args, a)
	}
	cmd.Dir = ts.MkAbs(".")
	for _, name := range []string{"HOME", "PATH", "CLAUDE_PROJECT_DIR", "XDG_CONFIG_HOME", "CLAUDECODE", "NO_COLOR", "CI", "TRAMMEL_TRUST"} {
		cmd.Env = append(cmd.Env, name+"="+ts.Getenv(name))
	}
	var out, errs strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	if cmd.ProcessState == nil {
		ts.Fatalf("%v", err)
	}
	ts.Check(os.WriteFile(ts.MkAbs("out"), []byte(out.String()), 0o600))
	ts.Check(os.WriteFile(ts.MkAbs("err"), []byte(errs.String()), 0o600))
	ts.Logf("[stdout]\n%s[stderr]\n%s", out.String(), errs.String())
	if args[1] == "trammel" && slices.Contains(args, "--json") {
		oneStyle(ts, out.String())
	}
	if got := fmt.Sprint(cmd.ProcessState.ExitCode()); got != args[0] {
		ts.Fatalf("exit code %s, expected %s", got, args[0])
	}
}

// oneStyle holds the keys of what --json prints to lower_case (use.md, friction 6).
func oneStyle(ts *testscript.TestScript, out string) {
	var list []map[string]any
	if json.Unmarshal([]byte(out), &list) != nil {
		list = []map[string]any{nil}
		if json.Unmarshal([]byte(out), &list[0]) != nil {
			return // lines, or nothing
		}
	}
	for _, object := range list {
		for key := range object {
			if strings.ToLower(key) != key {
				ts.Fatalf("--json prints the key %q", key)
			}
		}
	}
}

// payload EVENT TOOL JSON > payload.json: a payload of Claude Code in this
// directory. Each is another call.
func payload(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: payload EVENT TOOL INPUT")
	}
	text := fmt.Sprintf(
		`{"session_id":"s1","transcript_path":"/t.jsonl","cwd":%q,"permission_mode":"default","hook_event_name":%q,"tool_name":%q,`+
			`"tool_input":%s,"tool_use_id":"toolu_%d"}`,
		ts.MkAbs("."), args[0], args[1], args[2], time.Now().UnixNano())
	ts.Check(os.WriteFile(ts.MkAbs("payload.json"), []byte(text), 0o600))
}

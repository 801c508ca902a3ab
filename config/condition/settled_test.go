package condition

import (
	"fmt"
	"testing"
)

// A condition that is the same for all events, whichever part says so (A5).
func TestSettled(t *testing.T) {
	known := Known{
		Only:  map[string][]string{"event": {"pre_tool_use"}, "program": {"", "git"}, "command": {""}},
		Never: func(name, value string) bool { return name == "tool.name" && value == "Read" },
	}
	for when, want := range map[string]string{
		// always
		`true`: "true", `1 < 2`: "true", `"a" startsWith "a"`: "true",
		`true || stop.active`:                         "true: true",
		`args.has("push") || true`:                    "true: true",
		`args.has("push") || !args.has("push")`:       "true",
		`stop.active || not stop.active`:              "true",
		`host != "a" || host != "b"`:                  "true",
		`len(args.list) >= 0`:                         "true",
		`stop.active || len(paths) > -1`:              `true: len(paths) > -1`,
		`event == "pre_tool_use"`:                     "true",
		`stop.active ? true : !stop.active`:           "true",
		`tool.name != "Read"`:                         "true",
		`!(args.has("x") && !args.has("x"))`:          "true",
		`len(paths) > 2 || len(paths) < 3`:            "true",
		`stop.active == true || stop.active == false`: "",
		`count(paths, # == "x") >= 0`:                 "true",
		`input.x == "a" || input.x != "a"`:            "true",
		`let x = args.has("x"); x || !x`:              "",
		`input.amount > 5 || input.amount <= 5`:       "", // false without an amount
		// never
		`1 == 2`: "false", `false`: "false",
		`args.has("push") && false`:                                    "false: false",
		`args.has("push") && !args.has("push")`:                        "false",
		`len(args.list) < 0`:                                           "false",
		`0 > len(args.list)`:                                           "false",
		`len(args.list) == -1`:                                         "false",
		`len(paths) > 3 && len(paths) < 2`:                             "false",
		`event == "stop"`:                                              "false",
		`args.has("x") && event in ["stop", "pre_compact"]`:            `false: event in ["stop", "pre_compact"]`,
		`command != ""`:                                                "false",
		`action.command contains "x"`:                                  "false",
		`program == "kubectl" || program == "helm"`:                    "false",
		`program startsWith "kube"`:                                    "false",
		`tool.name == "Read"`:                                          "false",
		`host == "a" && host == "b"`:                                   "false",
		`host == "a" && (host != "a" || host == "c")`:                  "false",
		`host in ["a", "b"] && host in ["c"]`:                          "false",
		`host == "codex" && host startsWith "claude"`:                  "false",
		`"a" == host && host matches "^b"`:                             "false",
		`host == "a" && host == "b" || prompt == "1" && prompt == "2"`: "false",
		// open
		``: "", `1 +`: "", `1 + 1`: "", `stop.active`: "",
		`program == "git"`: "", `tool.name == "Bash"`: "", `host == "a"`: "",
		`args.has("a") && !args.has("b")`:                                     "",
		`args.has("a") && args.has("b")`:                                      "",
		`host == name && host == "a" && name != "b"`:                          "",
		`len(paths) > 5 && len(args.list) > 5 && len(paths) > len(args.list)`: "",
		`input.a.b == "x" && input.a.c == "y"`:                                "",
		`input.n == 5 && input.n > 3`:                                         "",
		`input.n == 5 && input.n == 5.0`:                                      "",
		`host contains "a" && host contains "b"`:                              "",
		`"x" in paths && "y" in paths`:                                        "",
		`any(paths, # == "a") && any(paths, # == "b")`:                        "",
		`host in paths`:                               "",
		`(input.dry ?? false) && input.x == nil`:      "",
		`len(paths) == 3`:                             "",
		`len(paths) in [1, 2]`:                        "",
		`len(paths) > 1.5`:                            "",
		`len(paths) in paths`:                         "",
		`interactive ? args.has("a") : args.has("b")`: "",
	} {
		got := ""
		if value, part, ok := settled(when, known); ok {
			if got = fmt.Sprint(value); part != "" {
				got += ": " + part
			}
		}
		if got != want {
			t.Errorf("%s: %q, want %q", when, got, want)
		}
	}
}

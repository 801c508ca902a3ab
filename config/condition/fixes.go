package condition

// Fixes say what to do about findings that do not say so themselves.
var Fixes = map[string]string{
	"never-matches":       "correct it, or remove the hook",
	"contradiction":       "drop one of the two, or write two hooks",
	"shadowed":            "remove one of the two, or narrow the match of the other",
	"no-effect":           "remove it, or declare it in your own file with may: grant",
	"missing-program":     "install it, or correct the path",
	"timeout-over-host":   "declare less time",
	"waits-over-host":     "declare less time, or mode: park",
	"unsupported-on-host": "remove the host, or use an event that it reports: trammel events",
	"exception-expired":   "remove it, or write a later day",
	"glob-without-files":  "correct the path, or remove it",
	"no-such-project":     "correct the path, or keep it for another machine",
	"spaced-argument":     "write args.begins or args.has with several words",
	"unknown-tool":        "write the name as the agent sends it: trammel log",
	"no-such-hook":        "correct the id: trammel list",
	"not-disabled":        "remove it from the list",
	"not-excepted":        "remove it",
	"not-read":            "move it to trammel.yaml in the root of the project",
	"setting-unused":      "remove it from this file",
	"lock-unused":         "trammel bundle lock",
	"broken":              "correct the file",
}

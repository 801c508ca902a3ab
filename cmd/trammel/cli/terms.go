package cli

import (
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// Terms is the command line with the terms of a filter such as -hook:tidy moved
// behind "--", where they are not taken for flags.
func Terms(root *cobra.Command, args []string) []string {
	cmd, _, err := root.Find(args)
	if err != nil || !strings.HasSuffix(cmd.Use, "[FILTER]") {
		return args
	}
	excludes := regexp.MustCompile(`^-[a-z]+:.`)
	flags, terms := args, []string(nil)
	if i := slices.Index(args, "--"); i >= 0 {
		flags, terms = args[:i], args[i+1:]
	}
	var kept []string
	for i, arg := range flags {
		var before string
		if i > 0 {
			before = flags[i-1]
		}
		f := cmd.Flag(strings.TrimPrefix(before, "--"))
		if value := strings.HasPrefix(before, "--") && f != nil && f.NoOptDefVal == ""; value || !excludes.MatchString(arg) {
			kept = append(kept, arg)
		} else {
			terms = append(slices.Clone(terms), arg)
		}
	}
	if len(terms) > 0 {
		kept = append(append(kept, "--"), terms...)
	}
	return kept
}

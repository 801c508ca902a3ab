package mancmd

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// page collects one manual page in roff.
type page struct{ strings.Builder }

var escaper = strings.NewReplacer(`\`, `\e`, "-", `\-`, "…", "...", "→", `\(->`)

// escape makes text safe from interpretation by roff.
func escape(s string) string {
	s = escaper.Replace(s)
	if strings.HasPrefix(s, ".") || strings.HasPrefix(s, "'") {
		s = `\&` + s
	}
	return s
}

func (p *page) head(name string, at time.Time, version string) {
	fmt.Fprintf(p, ".TH %q 1 %q %q\n", strings.ToUpper(name), at.UTC().Format(time.DateOnly), "trammel "+version)
}

func (p *page) section(title string) { fmt.Fprintf(p, ".SH %s\n", strings.ToUpper(title)) }

// line writes one line of text.
func (p *page) line(s string) { p.WriteString(escape(s) + "\n") }

// prose writes paragraphs. Indented lines stay unchanged.
func (p *page) prose(text string) {
	verbatim := false
	for line := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		if indented := strings.HasPrefix(line, "  "); indented != verbatim && line != "" {
			verbatim = indented
			p.WriteString(map[bool]string{true: ".nf\n", false: ".fi\n"}[verbatim])
		}
		if line == "" {
			p.WriteString(".PP\n")
			continue
		}
		p.line(line)
	}
	if verbatim {
		p.WriteString(".fi\n")
	}
}

// options lists flags.
func (p *page) options(flags *pflag.FlagSet) {
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		name := "--" + f.Name
		if f.Shorthand != "" {
			name = "-" + f.Shorthand + ", " + name
		}
		kind, usage := pflag.UnquoteUsage(f)
		if f.DefValue != "" && f.DefValue != "false" && f.DefValue != "[]" && f.DefValue != "0" && f.DefValue != "0s" {
			usage += " (default " + f.DefValue + ")"
		}
		fmt.Fprintf(p, ".TP\n\\fB%s\\fR \\fI%s\\fR\n", escape(name), escape(kind))
		p.line(usage)
	})
}

// command writes a command and its subcommands.
func (p *page) command(cmd *cobra.Command, top bool) {
	if top {
		p.section("synopsis")
	} else {
		fmt.Fprintf(p, ".SS %s\n", escape(cmd.CommandPath()))
		p.line(cmd.Short + ".")
		p.WriteString(".PP\n")
	}
	fmt.Fprintf(p, "\\fB%s\\fR\n", escape(cmd.UseLine()))
	if top {
		p.section("description")
	}
	if text := cmd.Long; text != "" {
		p.WriteString(".PP\n")
		p.prose(text)
	} else if top {
		p.line(cmd.Short + ".")
	}
	if cmd.HasAvailableLocalFlags() {
		p.title("options", top)
		p.options(cmd.LocalFlags())
	}
	if cmd.Example != "" {
		p.title("examples", top)
		p.prose(cmd.Example)
	}
}

// title is a section at the top level, and a word in bold below.
func (p *page) title(s string, top bool) {
	if top {
		p.section(s)
		return
	}
	fmt.Fprintf(p, ".PP\n\\fB%s\\fR\n.PP\n", strings.ToUpper(s[:1])+s[1:])
}

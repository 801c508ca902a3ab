package main

import (
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"github.com/trammel-dev/trammel/cmd/trammel/mancmd"
)

// TEAM-40, TEAM-52: the pages have what --help has, roff reads nothing into the
// text, and what is hidden stays so.
func TestManualPages(t *testing.T) {
	root := &cobra.Command{Use: "trammel", Short: "Hooks", Long: "Text."}
	root.AddGroup(&cobra.Group{ID: "g", Title: "Start here:"})
	verb := &cobra.Command{Use: "look DIR", Short: "Look around", GroupID: "g", Run: func(*cobra.Command, []string) {},
		Long: "See:\n\n  .system/hooks \\n\n'quoted' at the start.", Example: "  trammel look ."}
	verb.Flags().StringP("format", "f", "text", "how it is `shown`")
	verb.Flags().Bool("secret", false, "not for people")
	verb.Flags().Lookup("secret").Hidden = true
	verb.AddCommand(&cobra.Command{Use: "closely", Short: "Closer", Run: func(*cobra.Command, []string) {}})
	root.AddCommand(verb, &cobra.Command{Use: "inner", Hidden: true, Run: func(*cobra.Command, []string) {}})
	pages := mancmd.Pages(root, "1.2.3", time.Unix(1_700_000_000, 0))
	if len(pages) != 3 || pages["trammel-hook.1"] == nil {
		t.Fatalf("%d pages", len(pages))
	}
	page := string(pages["trammel-look.1"])
	for _, part := range []string{`.TH "TRAMMEL-LOOK" 1 "2023-11-14" "trammel 1.2.3"`, `trammel\-look \- Look around`,
		"\\fB\\-f, \\-\\-format\\fR \\fIshown\\fR\nhow it is shown (default text)\n", ".nf\n  .system/hooks \\en\n.fi\n\\&'quoted' at",
		`.SS trammel look closely`} {
		if !strings.Contains(page, part) {
			t.Errorf("no %q in\n%s", part, page)
		}
	}
	if strings.Contains(page, "secret") {
		t.Error("a hidden flag is shown")
	}
	if !strings.Contains(string(pages["trammel.1"]), ".SH START HERE\n.TP\n\\fBtrammel\\-look(1)\\fR\nLook around\n") {
		t.Errorf("the page of the program is\n%s", pages["trammel.1"])
	}
}

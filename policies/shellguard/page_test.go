package shellguard

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel"
)

// TestPageHasAllCodes: the page's table is the table of codes, with what each level does.
func TestPageHasAllCodes(t *testing.T) {
	page, err := os.ReadFile("../../docs/policies/shell-guard.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries(t) {
		row := fmt.Sprintf("| `%s` | %s |", e.code, e.severity)
		for _, level := range []string{"careful", "standard", "strict"} {
			o := Options{Level: level}
			row += " " + map[trammel.Decision]string{trammel.None: "–", trammel.Ask: "asks", trammel.Deny: "denies"}[o.decision(e)] + " |"
		}
		if row += " " + strings.TrimPrefix(e.why, "this ") + " |"; !strings.Contains(string(page), row) {
			t.Errorf("the page has no row %s", row)
		}
	}
}

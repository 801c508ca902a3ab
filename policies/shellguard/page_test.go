package shellguard

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// TestPageHasAllCodes: the page's table is the table of codes.
func TestPageHasAllCodes(t *testing.T) {
	page, err := os.ReadFile("../../docs/policies/shell-guard.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries(t) {
		if row := fmt.Sprintf("| `%s` | %s | %s |", e.code, e.severity, strings.TrimPrefix(e.why, "this ")); !strings.Contains(string(page),
			row) {
			t.Errorf("the page has no row %s", row)
		}
	}
}

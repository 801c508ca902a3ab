package evidence

import "testing"

// A spreadsheet reads no formula in what a model wrote.
func TestCell(t *testing.T) {
	for text, formula := range map[string]bool{
		"=1+1": true, "+1": true, "-1": true, "@SUM(A1)": true, "\t=1": true, "\r=1": true, "\n=1": true, " =1": true, "\u00a0\u3000=1": true,
		"＝1": true, "＋1": true, "－1": true, "＠1": true, "\tx": true,
		"": false, "git push --force": false, "a=1": false, "'=1": false, "1-1": false, " x": false, "é": false,
	} {
		want := text
		if formula {
			want = "'" + text
		}
		if got := Cell(text); got != want {
			t.Errorf("%q became %q, expected %q", text, got, want)
		}
	}
}

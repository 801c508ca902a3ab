package encoded

import (
	"testing"

	"github.com/trammel-dev/trammel/effects/model"
)

// The findings of shell-guard (testdata/findings.txt there) show the ways that hidden code
// takes. This is what they cannot show: sets that no line leads to.
func TestWithoutRuns(t *testing.T) {
	set := &model.Set{Runs: []model.Run{{Program: "sh", From: 1, By: -1}, {Program: "cat", From: 0, By: -1}}}
	if Runs(set, &model.Doubt{Code: "code", What: "x", Run: -1}) {
		t.Error("a doubt about the line itself")
	}
	for _, origin := range []model.Origin{model.Piped, model.Made} {
		if Code(set, &model.Code{Origin: origin, Run: -1}) {
			t.Error("code of the tool itself")
		}
	}
	set.Files = []model.File{{Op: model.Write, Run: -1}}
	if Code(set, &model.Code{Origin: model.Made}) {
		t.Error("a file that no run writes")
	}
	if Code(set, &model.Code{Origin: model.Piped, Run: 0}) {
		t.Error("two runs that feed each other end")
	}
}

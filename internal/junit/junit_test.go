package junit

import (
	"strings"
	"testing"
	"time"
)

// Times are plain decimal numbers, and the suite has their sum.
func TestTimes(t *testing.T) {
	var out strings.Builder
	cases := []Case{{Name: "a", Took: 12 * time.Microsecond}, {Name: "b", Took: 2 * time.Second}, {Name: "c"}}
	if err := Write(&out, Suite{Name: "s", Cases: cases}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`name="s" time="2.000012" tests="3"`, `name="a" time="0.000012"`, `name="b" time="2.000000"`, `name="c">`} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %s in\n%s", want, out.String())
		}
	}
}

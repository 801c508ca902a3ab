package guards

import (
	"bufio"
	"os"
	"testing"
	"fmt"
)

func TestScratchOne(t *testing.T) {
	for _, preset := range []string{"careful", "standard", "strict"} {
		m := newMachine(t, preset)
		f, _ := os.Open(os.Getenv("LINES"))
		for s := bufio.NewScanner(f); s.Scan(); {
			c := call(t, s.Text())
			if len(c.Steps) > 0 { continue }
			v := m.verdictOf(t, fmt.Sprint("z", m.calls), c, false)
			m.calls++
			var codes []any
			for _, r := range v.Runs {
				for _, x := range r.Answer.Findings { codes = append(codes, x.Code) }
			}
			fmt.Printf("%s %s | %v | %.200v\n", preset, v.Decision, s.Text(), codes)
		}
	}
}

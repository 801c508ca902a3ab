package guards

import (
	"bufio"
	"os"
	"testing"
	"fmt"
)

func TestScratchList(t *testing.T) {
	m := newMachine(t, os.Getenv("PRESET"))
	f, _ := os.Open(os.Getenv("LINES"))
	for s := bufio.NewScanner(f); s.Scan(); {
		v := m.verdictOf(t, fmt.Sprint("z", m.calls), labelled{Cmd: s.Text()}, false)
		m.calls++
		if v.Decision > 1 {
			fmt.Printf("STOP %s | %s | %v\n", v.Decision, s.Text(), func() (c []string) { for _, r := range v.Runs { for _, x := range r.Answer.Findings { c = append(c, x.Code) } }; return }())
		}
	}
}

package loopdetector

import (
	"fmt"
	"strings"
)

// history lists an agent's recent calls, the latest at the end.
type history struct{ calls []past }

// past is a call and its output, if that is known.
type past struct{ id, output string }

func (h *history) add(id string, most int) {
	h.calls = append(h.calls, past{id: id})
	if extra := len(h.calls) - most; extra > 0 {
		h.calls = h.calls[extra:]
	}
}

// learn stores the output of the latest such call. If it differs from the time
// before, earlier calls no longer count.
func (h *history) learn(id, output string) {
	at := h.last(len(h.calls), id)
	if at < 0 {
		return
	}
	h.calls[at].output = output
	if before := h.last(at, id); before >= 0 && h.calls[before].output != "" && h.calls[before].output != output {
		h.calls = h.calls[at:]
	}
}

// last returns the index of the latest such call before a position, or -1.
func (h *history) last(before int, id string) int {
	for i := before - 1; i >= 0; i-- {
		if h.calls[i].id == id {
			return i
		}
	}
	return -1
}

// period returns the length of the cycle that the last calls have repeated often
// enough, or 0 if there is none.
func (h *history) period(times, most int) int {
	n := len(h.calls)
next:
	for p := 1; p <= most && p*times <= n; p++ {
		for i := n - 1; i >= n-p*(times-1); i-- {
			if h.calls[i].id != h.calls[i-p].id {
				continue next
			}
		}
		return p
	}
	return 0
}

// The file has a line per call with two digests. The first line ensures that an
// empty history is not an empty file.
const head = "trammel-calls-1\n"

func (h *history) append(dst []byte) []byte {
	dst = append(dst, head...)
	for _, c := range h.calls {
		dst = append(append(append(append(dst, c.id...), ' '), c.output...), '\n')
	}
	return dst
}

func parse(data []byte) (*history, error) {
	h := &history{}
	if data == nil {
		return h, nil
	}
	body, ok := strings.CutPrefix(string(data), head)
	for line := range strings.Lines(body) {
		id, output, cut := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		ok = ok && cut && strings.HasSuffix(line, "\n") && len(id) == 16 && (output == "" || len(output) == 16) && len(h.calls) < maxMax*maxCycle
		if !ok {
			break
		}
		h.calls = append(h.calls, past{id, output})
	}
	if !ok {
		return nil, fmt.Errorf("what is remembered of this session's calls is damaged: %.40q", data)
	}
	return h, nil
}

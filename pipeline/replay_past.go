package pipeline

import (
	"slices"
	"sync"

	"github.com/trammel-dev/trammel"
)

// latePast is the past of a call that is judged before the earlier calls of its
// session. Until the real past is known it is empty. It stores the questions and
// answers, to check later whether the answers were right.
type latePast struct {
	mu    sync.Mutex
	asked []trammel.PastSort
	past  trammel.Past // nil until it is known
}

// Recall implements trammel.Past.
func (l *latePast) Recall(sort trammel.PastSort) (trammel.Recalled, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.past != nil {
		return l.past.Recall(sort)
	}
	if !slices.Contains(l.asked, sort) {
		l.asked = append(l.asked, sort)
	}
	return trammel.Recalled{}, nil
}

// become sets the past, and reports whether all earlier answers were right.
func (l *latePast) become(past trammel.Past) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.past = past
	return !slices.ContainsFunc(l.asked, func(sort trammel.PastSort) bool {
		r, err := past.Recall(sort)
		return err != nil || r.Forgot || len(r.Items) > 0
	})
}

package pipeline

import (
	"slices"
	"sync"

	"github.com/trammel-dev/trammel"
)

// latePast is the past of a call whose session is not judged that far yet.
// Until then it is empty; the questions and answers are stored, to check later
// whether they were right.
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

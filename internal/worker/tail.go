package worker

import (
	"io"
	"strings"
	"sync"

	"github.com/trammel-dev/trammel/internal/clip"
	"github.com/trammel-dev/trammel/internal/secret"
)

const (
	// maxHeard is how much of stderr is held, maxSaid how much of it is said.
	// What is cut off in between is the room in which a secret is still seen
	// whole.
	maxHeard = 64 << 10
	maxSaid  = 4 << 10
)

// tail keeps the end of what it reads.
type tail struct {
	mu   sync.Mutex
	kept []byte
}

func (t *tail) from(r io.Reader) {
	buf := make([]byte, 8<<10)
	for {
		n, err := r.Read(buf)
		t.mu.Lock()
		if over := len(t.kept) + n - maxHeard; over > 0 {
			t.kept = append(t.kept[:0], t.kept[min(over, len(t.kept)):]...)
		}
		t.kept = append(t.kept, buf[:n]...)
		t.mu.Unlock()
		if err != nil {
			return
		}
	}
}

func (t *tail) reset() {
	t.mu.Lock()
	t.kept = t.kept[:0]
	t.mu.Unlock()
}

// text is the end of it, without secrets.
func (t *tail) text() string {
	t.mu.Lock()
	heard := strings.ToValidUTF8(string(t.kept), "\uFFFD")
	t.mu.Unlock()
	if heard == "" {
		return ""
	}
	said, _ := secret.Redact(strings.TrimSpace(heard))
	return clip.End(said, maxSaid)
}

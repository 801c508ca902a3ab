package state

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/trammel-dev/trammel"
)

// Memory is a State that lasts as long as the process.
type Memory struct {
	mu      sync.Mutex
	buckets map[string]map[string]remembered
}

type remembered struct {
	value []byte
	at    time.Time
}

// NewMemory returns an empty Memory.
func NewMemory() *Memory { return &Memory{buckets: map[string]map[string]remembered{}} }

// View implements trammel.State.
func (m *Memory) View(_ context.Context, b *trammel.Bucket, keys []trammel.Key, look func([][]byte) error) error {
	return m.do(b, keys, look, false)
}

// Update implements trammel.State.
func (m *Memory) Update(_ context.Context, b *trammel.Bucket, keys []trammel.Key, change func([][]byte) error) error {
	return m.do(b, keys, change, true)
}

func (m *Memory) do(b *trammel.Bucket, keys []trammel.Key, change func([][]byte) error, keep bool) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	bucket := m.buckets[b.Name]
	names, values, now := make([]string, len(keys)), make([][]byte, len(keys)), time.Now()
	for i := range keys {
		names[i] = Digest(keys[i]...)
		if r, ok := bucket[names[i]]; ok && now.Sub(r.at) <= b.Keep {
			values[i] = slices.Clone(r.value)
		}
	}
	if err := change(values); err != nil || !keep {
		return err
	}
	if bucket == nil {
		bucket = map[string]remembered{}
		m.buckets[b.Name] = bucket
	}
	for i, name := range names {
		if values[i] == nil {
			delete(bucket, name)
			continue
		}
		bucket[name] = remembered{slices.Clone(values[i]), now}
	}
	for b.Most > 0 && len(bucket) > b.Most {
		forgetOldest(bucket)
	}
	return nil
}

func forgetOldest(bucket map[string]remembered) {
	oldest := ""
	for name, r := range bucket {
		if oldest == "" || r.at.Before(bucket[oldest].at) {
			oldest = name
		}
	}
	delete(bucket, oldest)
}

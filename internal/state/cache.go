package state

import (
	"bytes"
	"context"
	"strconv"
	"time"

	"github.com/trammel-dev/trammel"
)

// Get returns the value that Put keeps under a key and how old it is, if it is
// not older than ttl. One from the future is not taken: a clock was wrong, or
// somebody made it. What cannot be read was never there.
func (c Cache) Get(ctx context.Context, key string, ttl time.Duration) (value []byte, age time.Duration, ok bool) {
	data, err := c.Store.Get(ctx, trammel.Key{key})
	at, value, found := bytes.Cut(data, []byte{'\n'})
	nanos, bad := strconv.ParseInt(string(at), 10, 64)
	age = time.Since(time.Unix(0, nanos))
	if err != nil || !found || bad != nil || age < 0 || age > min(ttl, c.Bucket.Keep) {
		return nil, 0, false
	}
	return value, age, true
}

// Cache keeps values with the time when they were put there.
type Cache struct{ Store }

// Put keeps the value of a key.
func (c Cache) Put(ctx context.Context, key string, value []byte) error {
	return c.Update(ctx, trammel.Key{key}, func([]byte) ([]byte, error) {
		return append(append(strconv.AppendInt(nil, time.Now().UnixNano(), 10), '\n'), value...), nil
	})
}

package sqlstore

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strconv"
	"time"

	"github.com/trammel-dev/trammel"
)

// View implements trammel.State.
func (s *Store) View(ctx context.Context, b *trammel.Bucket, keys []trammel.Key, look func([][]byte) error) error {
	var values [][]byte
	err := s.retry(ctx, func() (err error) {
		values, err = s.values(ctx, s.DB, b, keys)
		return err
	})
	if err != nil {
		return err
	}
	return look(values)
}

// Update implements trammel.State.
func (s *Store) Update(ctx context.Context, b *trammel.Bucket, keys []trammel.Key, change func([][]byte) error) error {
	return s.inTx(ctx, func(tx *sql.Tx) error {
		if err := s.lock(ctx, tx, b, keys); err != nil {
			return err
		}
		values, err := s.values(ctx, tx, b, keys)
		if err != nil {
			return err
		}
		old := make([][]byte, len(values)) // change may write into its argument
		for i, v := range values {
			old[i] = bytes.Clone(v)
		}
		if err := change(values); err != nil {
			return err
		}
		for i, key := range keys {
			switch {
			case values[i] == nil && old[i] == nil || values[i] != nil && old[i] != nil && bytes.Equal(values[i], old[i]):
				continue
			case values[i] == nil:
				_, err = s.write(ctx, tx, `DELETE FROM state WHERE bucket = $1 AND key = $2`, b.Name, name(key))
			default:
				_, err = s.write(ctx, tx, `INSERT INTO state (bucket, key, value, at) VALUES ($1, $2, $3, $4)
					ON CONFLICT (bucket, key) DO UPDATE SET value = excluded.value, at = excluded.at`,
					b.Name, name(key), values[i], time.Now().UnixMicro())
			}
			if err != nil {
				return err
			}
		}
		return s.sweep(ctx, tx, b)
	})
}

// lock locks the keys. They are locked in a fixed order, to avoid deadlocks.
func (s *Store) lock(ctx context.Context, tx *sql.Tx, b *trammel.Bucket, keys []trammel.Key) error {
	if s.Driver.Lock == "" {
		return nil
	}
	var numbers []int64
	for _, key := range keys {
		h := fnv.New64a()
		fmt.Fprintf(h, "%s\x00%s", b.Name, name(key))
		numbers = append(numbers, int64(h.Sum64()))
	}
	slices.Sort(numbers)
	for _, n := range slices.Compact(numbers) {
		if _, err := s.write(ctx, tx, s.Driver.Lock, n); err != nil {
			return err
		}
	}
	return nil
}

// values reads all keys in one statement, for a consistent view.
func (s *Store) values(ctx context.Context, db querier, b *trammel.Bucket, keys []trammel.Key) ([][]byte, error) {
	values := make([][]byte, len(keys))
	if len(keys) == 0 {
		return values, nil
	}
	places, args, list := map[string]int{}, []any{b.Name, oldest(b)}, ""
	for i, key := range keys {
		places[name(key)] = i
		args = append(args, name(key))
		list += fmt.Sprintf(", $%d", len(args))
	}
	err := s.eachRow(ctx, db, `SELECT key, value FROM state WHERE bucket = $1 AND at >= $2 AND key IN (`+list[2:]+`)`, args,
		func(rows *sql.Rows) error {
			var key string
			value := []byte{}
			err := rows.Scan(&key, &value)
			values[places[key]] = append([]byte{}, value...) // not nil, even if it is empty
			return err
		})
	return values, err
}

type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// sweep removes old and excess entries, on one change in a hundred.
func (s *Store) sweep(ctx context.Context, tx *sql.Tx, b *trammel.Bucket) error {
	if rand.IntN(100) > 0 {
		return nil
	}
	if _, err := s.write(ctx, tx, `DELETE FROM state WHERE bucket = $1 AND at < $2`, b.Name, oldest(b)); err != nil || b.Most <= 0 {
		return err
	}
	_, err := s.write(ctx, tx, `DELETE FROM state WHERE bucket = $1 AND key IN
		(SELECT key FROM state WHERE bucket = $1 ORDER BY at DESC LIMIT 1000000 OFFSET $2)`, b.Name, b.Most)
	return err
}

func oldest(b *trammel.Bucket) int64 {
	if b.Keep <= 0 {
		return 0
	}
	return time.Now().Add(-b.Keep).UnixMicro()
}

// name is a key as one text, different for different keys.
func name(key trammel.Key) string {
	var out []byte
	for _, part := range key {
		out = strconv.AppendQuoteToASCII(out, part)
	}
	return string(out)
}

package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"time"
)

// pollInterval is how often a process looks whether another one has changed
// something. The look is one number from the shared memory of the write-ahead
// log.
const pollInterval = 25 * time.Millisecond

func listen(ctx context.Context, db *sql.DB) (<-chan struct{}, error) {
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	var last int64
	if err := conn.QueryRowContext(ctx, `PRAGMA data_version`).Scan(&last); err != nil {
		conn.Close()
		return nil, fmt.Errorf("store: %w", err)
	}
	out := make(chan struct{}, 1)
	go func() {
		defer conn.Close()
		tick := time.NewTicker(pollInterval)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
			var now int64
			err := conn.QueryRowContext(ctx, `PRAGMA data_version`).Scan(&now)
			if err == nil && now == last {
				continue
			}
			last = now
			select {
			case out <- struct{}{}:
			default: // one is waiting already
			}
		}
	}()
	return out, nil
}

package sqlite

import (
	"context"
	"database/sql"
	"time"
)

// pollInterval is how often a process checks for changes by others. That reads
// one number from the shared memory of the write-ahead log.
const pollInterval = 25 * time.Millisecond

// listen has its own connection, which sees all changes of others.
func listen(ctx context.Context, db *sql.DB, wake func()) {
	tick := time.NewTicker(pollInterval)
	defer tick.Stop()
	for last, conn := int64(-1), (*sql.Conn)(nil); ; {
		now := int64(-1) // unknown: there may have been a change
		if conn == nil {
			conn, _ = db.Conn(ctx)
		}
		if conn != nil && conn.QueryRowContext(ctx, `PRAGMA data_version`).Scan(&now) != nil {
			conn.Close()
			conn = nil
		}
		if now < 0 || now != last {
			wake()
		}
		last = now
		select {
		case <-ctx.Done():
			if conn != nil {
				conn.Close()
			}
			return
		case <-tick.C:
		}
	}
}

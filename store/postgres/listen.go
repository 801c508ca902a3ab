package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

const channel = "trammel"

// listen has a connection of its own. If that breaks, changes may have been
// missed: one is announced, and a new connection is made.
func listen(ctx context.Context, c *pgx.ConnConfig) (<-chan struct{}, error) {
	conn, err := connect(ctx, c)
	if err != nil {
		return nil, err
	}
	out := make(chan struct{}, 1)
	go func() {
		for ctx.Err() == nil {
			if conn == nil {
				if conn, err = connect(ctx, c); err != nil {
					pause(ctx, 200*time.Millisecond)
				}
			} else if _, err = conn.WaitForNotification(ctx); err != nil {
				conn.Close(context.WithoutCancel(ctx))
				conn = nil
			}
			select {
			case out <- struct{}{}:
			default: // one is waiting already
			}
		}
		if conn != nil {
			conn.Close(context.WithoutCancel(ctx))
		}
	}()
	return out, nil
}

func connect(ctx context.Context, c *pgx.ConnConfig) (*pgx.Conn, error) {
	conn, err := pgx.ConnectConfig(ctx, c)
	if err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	if _, err := conn.Exec(ctx, "LISTEN "+channel); err != nil {
		conn.Close(ctx)
		return nil, fmt.Errorf("store: %w", err)
	}
	return conn, nil
}

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/trammel-dev/trammel/internal/pause"
)

const channel = "trammel"

// listen has its own connection. If that breaks, changes may have been missed:
// it announces one after reconnecting.
func listen(ctx context.Context, c *pgx.ConnConfig, wake func()) {
	for ctx.Err() == nil {
		conn, err := connect(ctx, c)
		if err != nil {
			pause.For(ctx, 200*time.Millisecond)
			continue
		}
		for err == nil {
			wake()
			_, err = conn.WaitForNotification(ctx)
		}
		end, stop := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		conn.Close(end)
		stop()
	}
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

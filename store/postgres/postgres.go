// Package postgres is a store that several machines share.
package postgres

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
	"github.com/trammel-dev/trammel/store/sqlstore"
)

//go:embed migrations/*.sql
var migrations embed.FS

// Open opens the store in the database of a postgres:// address.
func Open(ctx context.Context, address string) (*sqlstore.Store, error) {
	c, err := pgx.ParseConfig(address)
	if err != nil {
		return nil, fmt.Errorf("store: the address of the database is wrong: %w", err)
	}
	if c.ConnectTimeout == 0 {
		c.ConnectTimeout = 5 * time.Second
	}
	db := stdlib.OpenDB(*c)
	db.SetMaxOpenConns(16)
	db.SetMaxIdleConns(8)
	locker, err := lock.NewPostgresSessionLocker()
	if err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	sub, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return nil, err
	}
	if err := sqlstore.Migrate(ctx, goose.DialectPostgres, db, sub, goose.WithSessionLocker(locker)); err != nil {
		db.Close()
		return nil, err
	}
	return &sqlstore.Store{DB: db, Driver: sqlstore.Driver{
		ForUpdate: " FOR UPDATE",
		Lock:      "SELECT pg_advisory_xact_lock($1)",
		Notify:    "SELECT pg_notify('" + channel + "', '')",
		Listen:    func(ctx context.Context) (<-chan struct{}, error) { return listen(ctx, c) },
		Again:     func(err error) bool { return code(err) == "40001" || code(err) == "40P01" },
		Taken:     func(err error) bool { return code(err) == "23505" },
	}}, nil
}

func code(err error) string {
	var e *pgconn.PgError
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}

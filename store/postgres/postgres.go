// Package postgres is a store that several machines share.
package postgres

import (
	"cmp"
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"syscall"
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
	c.ConnectTimeout = cmp.Or(c.ConnectTimeout, 5*time.Second)
	db := stdlib.OpenDB(*c)
	db.SetMaxOpenConns(16)
	db.SetMaxIdleConns(8)
	if err := migrate(ctx, db); err != nil {
		db.Close()
		return nil, err
	}
	return &sqlstore.Store{DB: db, Driver: sqlstore.Driver{
		ForUpdate: " FOR UPDATE",
		Lock:      "SELECT pg_advisory_xact_lock($1)",
		Notify:    "SELECT pg_notify('" + channel + "', '')",
		Listen:    func(ctx context.Context, wake func()) { listen(ctx, c, wake) },
		Again:     again,
		Taken:     func(err error) bool { return code(err) == "23505" },
	}}, nil
}

// migrate makes the tables if they are not current. If several processes start
// at once, one of them does it.
func migrate(ctx context.Context, db *sql.DB) error {
	sub, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return err
	}
	tables := sqlstore.Tables{Dialect: goose.DialectPostgres, Migrations: sub, There: `SELECT to_regclass('goose_db_version') IS NOT NULL`}
	if current, err := tables.Current(ctx, db); current || err != nil {
		return err
	}
	locker, err := lock.NewPostgresSessionLocker(lock.WithLockTimeout(1, 30)) // once a second
	if err != nil {
		return fmt.Errorf("store: %w", err)
	}
	return tables.Make(ctx, db, goose.WithSessionLocker(locker))
}

// again reports whether there was a conflict, or the server is temporarily
// gone. Every change first reads the current state, so that a change that was
// made but not confirmed is not made twice.
func again(err error) bool {
	return slices.Contains([]string{"40001", "40P01", "57P01", "57P02", "57P03"}, code(err)) || pgconn.SafeToRetry(err) ||
		errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE)
}

func code(err error) string {
	var e *pgconn.PgError
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}

package sqlstore

import (
	"context"
	"database/sql"
	"fmt"
	"io/fs"

	"github.com/pressly/goose/v3"
)

// Tables are the tables that this version needs.
type Tables struct {
	Dialect    goose.Dialect
	Migrations fs.FS
	// There is a query that reports whether any tables exist.
	There string
}

// Current reports whether the tables are those of this version. It refuses
// those of a newer version: they may have another meaning.
func (t *Tables) Current(ctx context.Context, db *sql.DB) (bool, error) {
	var there bool
	if err := db.QueryRowContext(ctx, t.There).Scan(&there); err != nil || !there {
		return false, failed(err)
	}
	var have int64
	if err := db.QueryRowContext(ctx, `SELECT max(version_id) FROM goose_db_version WHERE is_applied`).Scan(&have); err != nil {
		return false, failed(err)
	}
	newest, err := t.newest()
	if err == nil && have > newest {
		err = fmt.Errorf("store: it was made by a newer version of Trammel (tables %d, this program knows %d): use that version", have, newest)
	}
	return have == newest, err
}

// newest is the number of the last migration, which begins its name.
func (t *Tables) newest() (n int64, err error) {
	files, err := fs.Glob(t.Migrations, "*.sql")
	if err != nil || len(files) == 0 {
		return 0, fmt.Errorf("store: no migrations: %w", err)
	}
	return goose.NumericComponent(files[len(files)-1])
}

// Make brings the tables to what this version needs.
func (t *Tables) Make(ctx context.Context, db *sql.DB, options ...goose.ProviderOption) error {
	p, err := goose.NewProvider(t.Dialect, db, t.Migrations, append(options, goose.WithVerbose(false))...)
	if err == nil {
		_, err = p.Up(ctx)
	}
	if err != nil {
		return fmt.Errorf("store: making its tables: %w", err)
	}
	return nil
}

func failed(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("store: %w", err)
}

package sqlstore

import (
	"context"
	"database/sql"
	"fmt"
	"io/fs"

	"github.com/pressly/goose/v3"
)

// Migrate brings the tables to what this version needs. A database of a newer
// version is refused: it may mean something else by the same words.
func Migrate(ctx context.Context, dialect goose.Dialect, db *sql.DB, migrations fs.FS, options ...goose.ProviderOption) error {
	p, err := goose.NewProvider(dialect, db, migrations, append(options, goose.WithVerbose(false))...)
	if err != nil {
		return fmt.Errorf("store: %w", err)
	}
	newest := p.ListSources()[len(p.ListSources())-1].Version
	if have, err := version(ctx, db); err == nil && have == newest {
		return nil
	} else if err == nil && have > newest {
		return fmt.Errorf("store: it is of a newer version of Trammel (tables %d, this program knows %d): use that version", have, newest)
	}
	if _, err := p.Up(ctx); err != nil {
		return fmt.Errorf("store: making its tables: %w", err)
	}
	return nil
}

func version(ctx context.Context, db *sql.DB) (n int64, err error) {
	err = db.QueryRowContext(ctx, `SELECT max(version_id) FROM goose_db_version WHERE is_applied`).Scan(&n)
	return n, err
}

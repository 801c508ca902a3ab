// Package sqlite is a store in one file, which all processes of a machine share.
package sqlite

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"

	"github.com/pressly/goose/v3"
	"github.com/trammel-dev/trammel/internal/flock"
	"github.com/trammel-dev/trammel/store/sqlstore"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

//go:embed migrations/*.sql
var migrations embed.FS

// waitForLock is how long SQLite itself waits for others, in milliseconds. It
// is short, because SQLite ignores deadlines meanwhile: the store tries again.
const waitForLock = 100

// synchronous says that what was answered survives a power failure. Only programs for
// tests are linked without: see TEST_LDFLAGS in the Makefile.
var synchronous = "FULL"

// Open opens the store in a file, and creates it if it is missing. Only its
// owner can read it: it holds the arguments of calls.
func Open(ctx context.Context, path string) (*sqlstore.Store, error) {
	if err := create(path); err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	name := url.URL{Scheme: "file", Path: filepath.ToSlash(path), RawQuery: fmt.Sprintf(
		"_txlock=immediate&_pragma=busy_timeout(%d)", waitForLock) +
		"&_pragma=journal_mode(WAL)&_pragma=synchronous(" + synchronous + ")&_pragma=trusted_schema(OFF)"}
	db, err := sql.Open("sqlite", name.String())
	if err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	db.SetMaxOpenConns(8)
	if err := sqlstore.Retry(ctx, busy, func() error { return migrate(ctx, db, path) }); err != nil {
		db.Close()
		if c := code(err) & 0xff; c == sqlite3.SQLITE_NOTADB || c == sqlite3.SQLITE_CORRUPT {
			err = fmt.Errorf("it is damaged: %w; restore it from a backup, or move it away: then requests and grants are gone, and agents "+
				"have to ask again", err)
		}
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return &sqlstore.Store{DB: db, Driver: sqlstore.Driver{
		Question: true,
		Listen:   func(ctx context.Context, wake func()) { listen(ctx, db, wake) },
		Again:    busy,
		Turns:    make(chan struct{}, 1),
		Taken: func(err error) bool {
			return code(err) == sqlite3.SQLITE_CONSTRAINT_UNIQUE || code(err) == sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY
		},
	}}, nil
}

func busy(err error) bool {
	return code(err)&0xff == sqlite3.SQLITE_BUSY || code(err)&0xff == sqlite3.SQLITE_LOCKED
}

func code(err error) int {
	var e *sqlite.Error
	if errors.As(err, &e) {
		return e.Code()
	}
	return 0
}

func create(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	return f.Close()
}

// migrate makes the tables if they are not current. It holds a lock: two
// processes that start at once must not both make them.
func migrate(ctx context.Context, db *sql.DB, path string) error {
	sub, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return err
	}
	tables := sqlstore.Tables{Dialect: goose.DialectSQLite3, Migrations: sub,
		There: `SELECT count(*) > 0 FROM sqlite_master WHERE name = 'goose_db_version'`}
	if current, err := tables.Current(ctx, db); current || err != nil {
		return err
	}
	held, err := flock.Lock(ctx, path+".lock")
	if err != nil {
		return fmt.Errorf("store: %w", err)
	}
	defer held.Unlock()
	if current, err := tables.Current(ctx, db); current || err != nil {
		return err
	}
	return tables.Make(ctx, db)
}

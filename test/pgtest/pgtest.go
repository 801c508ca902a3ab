//go:build unix

// Package pgtest gives tests a PostgreSQL of their own: a cluster in a temporary
// directory, behind a Unix socket, that goes away with the test's process,
// however that ends.
package pgtest

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

var (
	start = sync.OnceValues(startCluster)
	count atomic.Int64
	//lint:ignore U1000 the server's standard input: it ends when this is closed, which the collector would do
	alive io.Closer
)

// Database makes an empty database and returns its address. Where there is no
// PostgreSQL, the test is skipped.
func Database(t testing.TB) string {
	t.Helper()
	bin := programs()
	if bin == "" {
		t.Skip("PostgreSQL is not installed")
	}
	dir, err := start()
	if err != nil {
		t.Fatal(err)
	}
	conn, err := pgx.Connect(t.Context(), address(dir, "postgres"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	name := fmt.Sprintf("t%d", count.Add(1))
	if _, err := conn.Exec(t.Context(), "CREATE DATABASE "+name); err != nil {
		t.Fatal(err)
	}
	return address(dir, name)
}

func address(dir, name string) string {
	return fmt.Sprintf("postgres:///%s?host=%s&user=trammel", name, dir)
}

// programs is the directory with the newest PostgreSQL, "" if there is none.
func programs() string {
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/postgres")
	if len(found) > 0 {
		return filepath.Dir(slices.Max(found))
	}
	if path, err := exec.LookPath("postgres"); err == nil {
		return filepath.Dir(path)
	}
	return ""
}

// keep runs the server for as long as its own standard input is open, and
// clears up. The input is a pipe from the test's process.
const keep = `"$1/postgres" -D "$2/data" -k "$2" -c listen_addresses= -c fsync=off -c full_page_writes=off -c max_connections=200 \
-c autovacuum=off -c shared_buffers=32MB &
read end; kill -QUIT $!; wait; rm -rf "$2"`

// roomy is a directory in memory that holds a few hundred databases, or the temporary one: a
// database is a thousand files.
func roomy() string {
	const memory = "/dev/shm"
	var s syscall.Statfs_t
	if syscall.Statfs(memory, &s) == nil && uint64(s.Bavail)*uint64(s.Bsize) >= 4<<30 {
		return memory
	}
	return "/tmp"
}

func startCluster() (dir string, err error) {
	if dir, err = os.MkdirTemp(roomy(), "pg"); err != nil {
		return "", err
	}
	who, err := unprivileged()
	if err != nil {
		return "", err
	}
	if who != nil {
		if err := os.Chown(dir, int(who.Uid), int(who.Gid)); err != nil {
			return "", err
		}
	}
	as := &syscall.SysProcAttr{Credential: who, Setpgid: true}
	bin := programs()
	make := exec.Command(filepath.Join(bin, "initdb"), "-D", filepath.Join(dir, "data"), "-A", "trust", "-U", "trammel", "-E", "UTF8",
		"--locale=C", "--no-sync")
	make.SysProcAttr, make.Dir = as, dir
	if out, err := make.CombinedOutput(); err != nil {
		return "", fmt.Errorf("initdb: %w: %s", err, bytes.TrimSpace(out))
	}
	server := exec.Command("sh", "-c", keep, "sh", bin, dir)
	server.SysProcAttr, server.Dir = as, dir
	if alive, err = server.StdinPipe(); err != nil {
		return "", err
	}
	if err := server.Start(); err != nil {
		return "", err
	}
	for range 1200 {
		conn, err := pgx.Connect(context.Background(), address(dir, "postgres"))
		if err == nil {
			return dir, conn.Close(context.Background())
		}
		time.Sleep(50 * time.Millisecond)
	}
	return "", fmt.Errorf("PostgreSQL did not start in a minute")
}

// unprivileged is whom to run the server as: it refuses to be root.
func unprivileged() (*syscall.Credential, error) {
	if os.Getuid() != 0 {
		return nil, nil
	}
	who, err := user.Lookup("postgres")
	if err != nil {
		who, err = user.Lookup("nobody")
	}
	if err != nil {
		return nil, err
	}
	uid, _ := strconv.Atoi(who.Uid) // numbers on Unix
	gid, _ := strconv.Atoi(who.Gid)
	return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, nil
}

//go:build unix

package approvals_test

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/trammel-dev/trammel/approvals"
	"github.com/trammel-dev/trammel/approvals/desk"
	"github.com/trammel-dev/trammel/evidence"
	"github.com/trammel-dev/trammel/store"
	"github.com/trammel-dev/trammel/store/postgres"
	"github.com/trammel-dev/trammel/test/pgtest"
)

// The test's own program is also the process that dies.
const crashVariable = "TRAMMEL_TEST_CRASH"

func TestMain(m *testing.M) {
	at, child := os.LookupEnv(crashVariable)
	if !child {
		os.Exit(m.Run())
	}
	n, err := strconv.Atoi(at)
	if err == nil {
		err = payOnce(n, os.Args[1], os.Args[2], os.Args[3])
	} else {
		err = useOnce(at, os.Args[1])
	}
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}

// mortal is a store whose process is killed at its n-th point: in the middle of
// a write, or right after it.
type mortal struct {
	store.Store
	left *int
}

func (m mortal) point() {
	if *m.left--; *m.left == 0 {
		syscall.Kill(os.Getpid(), syscall.SIGKILL)
		select {} // nothing more happens
	}
}

func (m mortal) Create(ctx context.Context, a *store.Approval, notes ...store.Note) (*store.Approval, error) {
	m.point()
	defer m.point()
	return m.Store.Create(ctx, a, notes...)
}

func (m mortal) Change(ctx context.Context, id string, change func(*store.Approval) ([]store.Note, error)) (*store.Approval, error) {
	defer m.point()
	return m.Store.Change(ctx, id, func(a *store.Approval) ([]store.Note, error) {
		m.point()
		return change(a)
	})
}

func (m mortal) Recorded(ctx context.Context, ids ...string) error {
	m.point()
	defer m.point()
	return m.Store.Recorded(ctx, ids...)
}

// crashKey signs in all processes.
var crashKey = approvals.PrivateKey(ed25519.NewKeyFromSeed(make([]byte, 32)))

// serviceOver is what each process has; its clock shows so many seconds.
func serviceOver(st store.Store, seconds int) *approvals.Service {
	public := ed25519.PrivateKey(crashKey).Public().(ed25519.PublicKey)
	return &approvals.Service{Store: st, Roster: roster(), Keys: approvals.Keys{Servers: approvals.Named(public)},
		Now: func() time.Time { return start.Add(time.Duration(seconds) * time.Second) }}
}

// payOnce is an agent that wants to pay once, and two people who agree, in a
// process that may die at any point and is then started again. What it does is
// written down: the log has the notes, "paid" the approvals that were used.
func payOnce(crashAt int, address, dir, later string) error {
	st, err := desk.OpenStore(context.Background(), dir, address)
	if err != nil {
		return err
	}
	seconds, _ := strconv.Atoi(later)
	m := mortal{st, &crashAt}
	s := serviceOver(m, seconds)
	s.Record = func(_ context.Context, n store.Note) error {
		m.point()
		defer m.point()
		if n.Again {
			if has, err := evidence.Has(filepath.Join(dir, "log"), n.ID, time.Time{}); has || err != nil {
				return err
			}
		}
		r := evidence.Record{ID: n.ID, Time: n.At.Time, Event: n.Kind, Name: n.Subject}
		_, err := evidence.Open(filepath.Join(dir, "log"), evidence.Options{}).Append(context.Background(), r.AppendJSON(nil))
		return err
	}
	ctx, r := context.Background(), request(call("s", 1), 2)
	a, err := s.Ask(ctx, r)
	if err != nil {
		return fmt.Errorf("ask: %w", err)
	}
	if a, err = s.Park(ctx, a.ID, "s", ""); err != nil {
		return fmt.Errorf("park: %w", err)
	}
	for _, who := range []string{"al", "bo"} {
		if slices.ContainsFunc(a.Votes, func(v store.Vote) bool { return v.Approver == who }) {
			continue
		}
		o := office{key: crashKey}
		if a, err = s.Decide(ctx, o.ballot(a, who, true)); err != nil {
			return fmt.Errorf("%s: %w", who, err)
		}
	}
	if a, err = s.Ask(ctx, r); err != nil { // it comes back, as it was told
		return fmt.Errorf("come back: %w", err)
	}
	if a, err = use(s, a.ID, r); err != nil {
		return fmt.Errorf("use: %w", err)
	}
	m.point()
	return write(filepath.Join(dir, "paid"), a.ID)
}

// useOnce is a process that wants to use an approval that is there.
func useOnce(id, address string) error {
	st, err := desk.OpenStore(context.Background(), "", address)
	if err != nil {
		return err
	}
	_, err = use(serviceOver(st, 0), id, request(call("s", 1), 1))
	return err
}

// Of ten processes that use one approval at once, one does.
func TestOneUseAmongProcesses(t *testing.T) {
	for name, place := range map[string]func(t *testing.T) string{
		"sqlite":   func(t *testing.T) string { return filepath.Join(t.TempDir(), "store.db") },
		"postgres": func(t *testing.T) string { return pgtest.Database(t) },
	} {
		t.Run(name, func(t *testing.T) {
			address := place(t)
			s := serviceOver(opened(t)(desk.OpenStore(t.Context(), "", address)), 0)
			o := &office{Service: s, key: crashKey}
			a, err := s.Decide(t.Context(), o.ballot(o.ask(t, call("s", 1), 1), "al", true))
			if err != nil {
				t.Fatal(err)
			}
			var wg sync.WaitGroup
			var won atomic.Int64
			for range 10 {
				wg.Go(func() {
					cmd := exec.Command(os.Args[0], address)
					cmd.Env = append(os.Environ(), crashVariable+"="+a.ID)
					if out, err := cmd.CombinedOutput(); err == nil {
						won.Add(1)
					} else if !strings.Contains(string(out), "approved by al") {
						t.Errorf("%v: %s", err, out)
					}
				})
			}
			wg.Wait()
			if won.Load() != 1 {
				t.Errorf("%d processes have used it", won.Load())
			}
		})
	}
}

func write(path, line string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = f.WriteString(line + "\n")
	return err
}

// A process that is killed at any point loses nothing: the next one goes on
// where it was, nothing is used twice, and every change is on record, once
// (APR-07, FIM-22).
func TestKilledAtEveryStep(t *testing.T) {
	if testing.Short() {
		t.Skip("what is killed is another program, in which the race detector sees nothing")
	}
	t.Run("sqlite", func(t *testing.T) {
		killEverywhere(t, func(dir string) string { return filepath.Join(dir, "store.db") })
	})
	t.Run("postgres", func(t *testing.T) {
		address := pgtest.Database(t)
		st, err := postgres.Open(t.Context(), address)
		if err != nil {
			t.Fatal(err)
		}
		defer st.Close()
		killEverywhere(t, func(string) string {
			if _, err := st.DB.Exec(`TRUNCATE approvals, asks, notes`); err != nil {
				t.Fatal(err)
			}
			return address
		})
	})
}

func killEverywhere(t *testing.T, place func(dir string) string) {
	points := 0
	for died := true; died; points++ {
		died = killed(t, points+1, place)
	}
	if points < 20 {
		t.Errorf("there were only %d points to die at", points)
	}
}

// killed lets a process die at a point and starts another. It reports whether
// the point was reached.
func killed(t *testing.T, point int, place func(dir string) string) bool {
	dir := t.TempDir()
	address := place(dir)
	run := func(point, later int) error {
		cmd := exec.Command(os.Args[0], address, dir, strconv.Itoa(later))
		cmd.Env = append(os.Environ(), crashVariable+"="+strconv.Itoa(point))
		out, err := cmd.CombinedOutput()
		if len(out) > 0 {
			t.Errorf("point %d: %s", point, bytes.TrimSpace(out))
		}
		return err
	}
	died := run(point, 0) != nil
	before := lines(t, dir, "paid")
	if err := run(-1, 20); err != nil {
		t.Fatalf("point %d: the next process: %v", point, err)
	}
	paid := lines(t, dir, "paid")
	slices.Sort(paid)
	if n := len(slices.Compact(paid)); n != len(lines(t, dir, "paid")) || n != len(before)+1 {
		t.Errorf("point %d: paid before %v, then %v", point, before, paid)
	}
	kinds := map[string][]string{} // of each approval
	err := evidence.Scan(filepath.Join(dir, "log"), func(e evidence.Entry) error {
		var r struct{ Event, Name string }
		err := json.Unmarshal(e.Body, &r)
		kinds[r.Name] = append(kinds[r.Name], strings.TrimPrefix(r.Event, "approval."))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for id, list := range kinds {
		if slices.Sort(list); !slices.Equal(list, []string{"approved", "consumed", "requested", "voted"}) {
			t.Errorf("point %d: on record about %s: %v", point, id, list)
		}
	}
	for _, id := range paid {
		if kinds[id] == nil {
			t.Errorf("point %d: %s is not on record", point, id)
		}
	}
	st := opened(t)(desk.OpenStore(t.Context(), dir, address))
	if left, err := st.Notes(t.Context(), 10); err != nil || len(left) > 0 {
		t.Errorf("point %d: %d notes are not on record, %v", point, len(left), err)
	}
	return died
}

func lines(t *testing.T, dir, name string) []string {
	data, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return slices.DeleteFunc(strings.Split(string(data), "\n"), func(line string) bool { return line == "" })
}

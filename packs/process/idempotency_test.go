package process_test

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/trammel-dev/trammel/evidence"
	"github.com/trammel-dev/trammel/packs/process"
)

// FST-79: the same request with its key gets the same answer, another one none.
func TestIdempotencyKeys(t *testing.T) {
	s := newShop(t)
	req := process.Request{Action: "purchase.request", Payload: payload{"item": "desk", "amount": 400}, Key: "k1"}
	first := s.send(req)
	s.want(first, "ok", process.Continue, "")
	again := s.send(req)
	if s.want(again, "ok", process.Continue, ""); !again.Replay || again.Run != first.Run || again.Created[0] != first.Created[0] {
		t.Errorf("%+v\n%+v", first, again)
	}
	req.Run = first.Run
	if named := s.send(req); !named.Replay {
		t.Errorf("%+v", named)
	}
	other := req
	other.Payload = payload{"item": "desk", "amount": 401}
	s.want(s.send(other), "error", "", process.CodeKeyConflict)
	other = req
	other.Action = "purchase.close"
	s.want(s.send(other), "error", "", process.CodeKeyConflict)
	second := s.send(process.Request{Action: "purchase.close"})
	other = req
	other.Run = second.Run
	s.want(s.send(other), "error", "", process.CodeKeyConflict)
	bad := process.Request{Action: "purchase.request", Payload: payload{"item": "desk"}, Key: "k2", Run: s.run}
	s.want(s.send(bad), "nok", process.AskUser, process.CodeGate)
	if got := s.send(bad); !got.Replay || got.Gate != "amount_known" {
		t.Errorf("%+v", got)
	}
}

// FST-79: of many that make the same request at once, one makes it.
func TestOneOfManyActs(t *testing.T) {
	s := newShop(t)
	var all sync.WaitGroup
	answers := make([]process.Response, 16)
	for i := range answers {
		all.Go(func() {
			p, _ := process.Open(s.dir, process.Options{StateDir: s.state, Log: evidence.Open(s.log, evidence.Options{})})
			defer p.Close()
			answers[i], _ = p.Control(t.Context(), process.Request{Action: "purchase.request", Payload: payload{"item": "desk", "amount": 1},
				Key: "k"})
		})
	}
	all.Wait()
	acted := 0
	for _, a := range answers {
		if !a.Replay {
			acted++
		}
		if a.Status != "ok" || a.Created[0] != answers[0].Created[0] {
			t.Errorf("%+v", a)
		}
	}
	if acted != 1 {
		t.Errorf("%d have acted", acted)
	}
}

// FST-75 FST-79: whoever is killed in between leaves a run that can go on, and
// the same request again is not made twice.
func TestKilledInBetween(t *testing.T) {
	if dir := os.Getenv("PROCESS_TEST_DIR"); dir != "" {
		p, _ := process.Open(dir, process.Options{StateDir: os.Getenv("PROCESS_TEST_STATE"),
			Log: evidence.Open(os.Getenv("PROCESS_TEST_LOG"), evidence.Options{})})
		for i := 0; ; i++ {
			out, err := p.Control(t.Context(), process.Request{Action: "purchase.request", Payload: payload{"item": "desk", "amount": i},
				Run: os.Getenv("PROCESS_TEST_RUN"), Key: fmt.Sprint("k", i)})
			if err != nil || out.Status != "ok" {
				os.Exit(7)
			}
			fmt.Println("done")
		}
	}
	s := newShop(t)
	s.want(s.control("purchase.request", payload{"item": "desk", "amount": 1}), "ok", process.Continue, "")
	for round := range 8 {
		cmd := exec.Command(os.Args[0], "-test.run=TestKilledInBetween$")
		cmd.Env = append(os.Environ(), "PROCESS_TEST_DIR="+s.dir, "PROCESS_TEST_STATE="+s.state, "PROCESS_TEST_RUN="+s.run, "PROCESS_TEST_LOG="+
			s.log)
		out, err := cmd.StdoutPipe()
		if err == nil {
			err = cmd.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		for lines := bufio.NewScanner(out); round >= 0 && lines.Scan(); round-- { // it is killed somewhere in the call after these
		}
		cmd.Process.Kill()
		if err := cmd.Wait(); cmd.ProcessState.ExitCode() == 7 {
			t.Fatal(err)
		}
		s.want(s.control("purchase.request", payload{"item": "desk", "amount": 1}), "ok", process.Continue, "")
	}
	if first := s.send(process.Request{Action: "purchase.request", Payload: payload{"item": "desk", "amount": 0}, Run: s.run,
		Key: "k0"}); !first.Replay {
		t.Errorf("%+v", first)
	}
	if left, _ := filepath.Glob(filepath.Join(s.state, "process", ".new-*")); len(left) > 8 {
		t.Errorf("left behind: %v", left)
	}
}

// FST-75: the records say what led to each route, without running anything.
func TestReplayExplains(t *testing.T) {
	s := newShop(t)
	s.ready()
	s.control("purchase.order", payload{"vendor": "acme", "amount": 5000})
	os.RemoveAll(s.dir)
	var got []process.Recorded
	if err := process.Replay(s.log, s.run, func(r process.Recorded) error { got = append(got, r); return nil }); err != nil {
		t.Fatal(err)
	}
	if len(got) != 3 {
		t.Fatalf("%+v", got)
	}
	last := got[2]
	if last.Route != "AwaitApproval" || last.Gate != "over_limit" || last.Reason == "" || last.Approval == "" ||
		last.Scope != "purchase.order" ||
		len(last.Hooks) != 1 || last.Hooks[0].Output == "" || last.ProfileDigest == "" || last.Payload == "" || last.Revision == "" {
		t.Errorf("%+v", last)
	}
	if len(got[1].Created) != 1 || got[1].Created[0].Digest == "" {
		t.Errorf("%+v", got[1])
	}
	if report, err := evidence.Verify(s.log); err != nil {
		t.Errorf("%+v %v", report, err)
	}
}

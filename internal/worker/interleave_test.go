package worker

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"testing"
	"time"
)

// unruly is a program in this process, over real pipes, that answers the call
// "id payload" with both in JSON, and now and then does something else.
type unruly struct {
	random *rand.Rand
	slow   time.Duration // longer than anybody waits
	in     *os.File
	out    *os.File
	err    *os.File
	ours   []*os.File
	once   sync.Once
	late   sync.WaitGroup
	ended  chan struct{}
	code   int
}

func (u *unruly) Kill()                  { u.once.Do(func() { u.in.Close(); u.out.Close(); u.err.Close() }) }
func (u *unruly) Ended() <-chan struct{} { return u.ended }
func (u *unruly) Exit() (int, string)    { return u.code, "" }
func (u *unruly) Close() {
	for _, f := range u.ours {
		f.Close()
	}
}

func (u *unruly) serve() {
	defer close(u.ended)
	defer u.Kill()
	defer u.late.Wait()
	lines := bufio.NewScanner(u.in)
	for lines.Scan() {
		id, payload, _ := strings.Cut(lines.Text(), " ")
		line, nameless := reply(payload, id), `{"status":"ok","payload":"`+payload+"\"}\n"
		half := []int{len(line) / 2, u.random.IntN(len(line))}[u.random.IntN(2)]
		switch u.random.IntN(80) {
		case 0: // twice at once
			u.out.WriteString(line + line)
		case 1, 2: // twice, the second time whenever
			u.out.WriteString(line)
			u.later(line)
		case 3: // torn, with a pause
			u.out.WriteString(line[:half])
			time.Sleep(time.Duration(u.random.IntN(50)) * time.Microsecond)
			u.out.WriteString(line[half:])
		case 4: // and a piece without an end, whenever
			u.out.WriteString(line)
			u.later(line[:half])
		case 5: // and an end without a beginning
			u.out.WriteString(line)
			u.later(line[half:])
		case 6: // for nobody, and later for somebody
			u.out.WriteString(nameless)
			u.later(line)
		case 7: // too late for any but the next call
			time.Sleep(u.slow)
			u.out.WriteString(line)
		case 8: // and ahead of the next call, whose number it guesses
			u.out.WriteString(line)
			var n int
			fmt.Sscan(id, &n)
			u.later(reply(payload, fmt.Sprintf("%d-guessed", n+1)))
		case 9: // and the end, bad or good
			if u.code = u.random.IntN(2); u.code == 0 {
				u.out.WriteString(line)
			} else {
				u.out.WriteString(nameless)
			}
			return
		case 10: // without the number
			u.out.WriteString(nameless)
		default:
			u.out.WriteString(line)
		}
	}
}

func reply(payload, id string) string {
	return `{"status":"ok","payload":"` + payload + `","call_id":"` + id + "\"}\n"
}

func (u *unruly) later(text string) {
	wait := time.Duration(u.random.IntN(60)) * time.Microsecond
	u.late.Go(func() {
		time.Sleep(wait)
		u.out.WriteString(text)
	})
}

// FST-50, FST-55: over 100,000 calls to programs that write late, twice, in
// pieces, ahead and for nobody, no answer is ever given to another call.
func TestNoAnswerOfAnotherCall(t *testing.T) {
	calls := 100_000
	if testing.Short() {
		calls = 10_000
	}
	for limit := 2 * time.Millisecond; ; limit *= 8 { // a slow machine takes longer for all of it
		counts := noAnswerOfAnotherCall(t, calls, limit)
		t.Log(limit, counts)
		least := calls
		for _, what := range []string{"kept", "again", ErrMore.Error(), ErrTimeout.Error(), ErrFailed.Error()} {
			least = min(least, counts[what])
		}
		if least >= calls/2000 {
			return
		}
		if limit > time.Second {
			t.Fatalf("one of them comes only %d times in %d calls", least, calls)
		}
	}
}

func noAnswerOfAnotherCall(t *testing.T, calls int, limit time.Duration) map[string]int {
	const lanes = 8
	var mu sync.Mutex
	counts := map[string]int{}
	var done sync.WaitGroup
	for lane := range lanes {
		done.Go(func() {
			random := rand.New(rand.NewPCG(uint64(lane), 11))
			w := New(Command{MaxLine: 1 << 10})
			w.start = func(c *Command) (*run, error) {
				return launch(rand.New(rand.NewPCG(random.Uint64(), 7)), c.MaxLine, limit*3/2)
			}
			count := func(what string) { mu.Lock(); counts[what]++; mu.Unlock() }
			for n := range calls / lanes {
				payload := fmt.Sprintf("payload-%d-%d", lane, n)
				id := fmt.Sprintf("%d-%x", n, random.Uint32())
				ctx, cancel := context.WithTimeout(context.Background(), limit)
				starts := w.Starts()
				answer, err := w.Call(ctx, []byte(id+" "+payload+"\n"), func(a []byte) bool {
					return json.Valid(a) && bytes.HasSuffix(a, []byte(`"call_id":"`+id+`"}`))
				})
				cancel()
				var got struct{ Payload string }
				garbled := json.Unmarshal(answer, &got) != nil
				switch {
				case err == nil && garbled:
					count("garbled")
				case err == nil && got.Payload != payload:
					t.Errorf("%s got the answer %q", payload, answer)
				case err == nil && w.Starts() == starts:
					count("kept")
				case err == nil:
					count("again")
				default:
					count(err.Error())
				}
			}
			w.Close()
		})
	}
	done.Wait()
	return counts
}

func launch(random *rand.Rand, most int, slow time.Duration) (*run, error) {
	var ends [6]*os.File
	for i := 0; i < len(ends); i += 2 {
		r, w, err := os.Pipe()
		if err != nil {
			return nil, err
		}
		ends[i], ends[i+1] = r, w
	}
	u := &unruly{random: random, slow: slow, in: ends[0], out: ends[3], err: ends[5], ended: make(chan struct{}),
		ours: []*os.File{ends[1], ends[2], ends[4]}}
	go u.serve()
	return follow(&process{ends[1], ends[2], ends[4], u}, most), nil
}

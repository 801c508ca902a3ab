package approvals_test

import (
	"runtime"
	"sync"
	"testing"

	"github.com/trammel-dev/trammel/approvals"
)

// A key speaks only for the person it belongs to.
func TestKeysOfPeople(t *testing.T) {
	onBoth(t, func(t *testing.T, o *office) {
		sealed, err := approvals.Seal("correct horse")
		if err != nil {
			t.Fatal(err)
		}
		key, err := sealed.Open("correct horse")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := sealed.Open("wrong horse"); err == nil {
			t.Error("another secret opened the key")
		}
		o.Keys.Authority = approvals.Named(sealed.Public)
		o.Roster.People["al"] = append(o.Roster.People["al"], "authority:"+key.KeyID())
		a := o.ask(t, call("s", 1), 1)
		d := o.ballot(a, "bo", true)
		d.Signer = key
		_, err = o.Decide(t.Context(), d)
		refused(t, err, approvals.RefusedNotApprover)
		d.Identity = "authority:" + key.KeyID()
		if a, err = o.Decide(t.Context(), d); err != nil || a.Votes[0].Approver != "al" {
			t.Errorf("%v %v", a, err)
		}
	})
}

// Many who give the secret at once take the memory of one: a server's memory
// stays flat (issue 10, item 7).
func TestSecretsAtOnce(t *testing.T) {
	const each = 64 << 20 // what deriving a key takes
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	var all sync.WaitGroup
	for range 6 {
		all.Go(func() {
			if _, err := approvals.Seal("correct horse battery"); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	runtime.ReadMemStats(&after)
	if grown := after.HeapSys - min(before.HeapSys, after.HeapSys); grown > 3*each {
		t.Errorf("it took %d MB", grown>>20)
	}
	if after.HeapInuse > before.HeapInuse+each/2 {
		t.Errorf("%d MB are still in use", after.HeapInuse>>20)
	}
}

package demo

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/trammel-dev/trammel/approvals"
	"github.com/trammel-dev/trammel/approvals/desk"
	"github.com/trammel-dev/trammel/store"
)

// secret is the authority secret of the demo. It opens a key that exists in the
// demo's own directory only, so nobody else's approvals can be given with it.
const secret = "demo-secret"

// payment is a call that waits for a person.
var payment = step{"I pay the invoice.", "Bash", map[string]any{"command": "./pay.sh ACME 60000"}}

// approve plays a call that waits for a person: the viewer, who is told how, or
// after a while the script.
func (d *Demo) approve() error {
	state := filepath.Join(d.dir, "state")
	key, err := d.authority(state)
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	asked := make(chan error, 1)
	go func() { asked <- d.answerFor(ctx, state, key) }()
	err = d.play(payment)
	stop()
	if late := <-asked; err == nil {
		err = late
	}
	return err
}

// authority sets the secret, as trammel approvals unlock does.
func (d *Demo) authority(state string) (approvals.PrivateKey, error) {
	sealed, err := approvals.Seal(secret)
	if err != nil {
		return nil, err
	}
	if err := (&approvals.Keyring{Authority: sealed}).Save(state); err != nil {
		return nil, err
	}
	return sealed.Open(secret)
}

// answerFor tells the viewer how to decide, waits for that, and decides itself
// if nobody does.
func (d *Demo) answerFor(ctx context.Context, state string, key approvals.PrivateKey) error {
	at := desk.Desk{StateDir: state}
	defer at.Close()
	s, err := at.Service(ctx)
	if err != nil {
		return err
	}
	a, err := pending(ctx, s)
	if a == nil {
		return err
	}
	d.say("%strammel: the call waits for a person.%s To decide, run this in another terminal within %v; the secret is %q:\n\n"+
		"    %s %s approvals approve %s --dir %s\n\n", d.Bold, d.Off, d.Patience, secret, d.Trammel, strings.Join(d.flags, " "), a.ID, d.project)
	wait, stop := context.WithTimeout(ctx, d.Patience)
	defer stop()
	a, err = s.Wait(wait, a.ID, nil)
	if err != nil || a.State != store.Pending || ctx.Err() != nil {
		return err
	}
	d.say("%sscript:%s no answer, so I approve it.\n", d.Bold, d.Off)
	_, err = s.Decide(ctx, approvals.Decision{Approval: a.ID, Nonce: a.Nonce, Digest: approvals.Shown(a), Approve: true,
		Comment:  "by the script",
		Identity: "authority:" + key.KeyID(), Channel: "demo", Signer: key})
	if err != nil {
		return fmt.Errorf("the script could not approve: %w", err)
	}
	return nil
}

// pending waits for the request; nil if the demo is over before.
func pending(ctx context.Context, s *approvals.Service) (*store.Approval, error) {
	for ctx.Err() == nil {
		list, err := s.Store.Approvals(ctx, store.Query{States: []store.State{store.Pending}})
		switch {
		case ctx.Err() != nil:
		case err != nil:
			return nil, err
		case len(list) > 0:
			return list[0], nil
		}
		time.Sleep(50 * time.Millisecond)
	}
	return nil, nil
}

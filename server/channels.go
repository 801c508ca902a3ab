package server

import (
	"context"
	"net/http"
	"os"

	"github.com/trammel-dev/trammel/approvals/channels"
	"github.com/trammel-dev/trammel/approvals/channels/standard"
	"github.com/trammel-dev/trammel/approvals/deliver"
)

// openChannels opens the channels in the current settings. Changes need a
// restart.
func (s *Server) openChannels(ctx context.Context, public string) error {
	d, err := s.Program.OwnDesk()
	if err != nil {
		return err
	}
	svc, err := d.Service(ctx)
	if err != nil {
		return err
	}
	open, err := standard.Open(d.Settings.Channels, &channels.Env{Now: s.Now, Getenv: os.Getenv, Public: public,
		CallPattern: s.Program.CallPattern})
	if err != nil {
		return err
	}
	report := func(err error) { s.Log.Warn("a channel reported an error", "error", err) }
	intake := &channels.Intake{Service: svc, Signer: s.key, Channels: open, Edit: s.Program.Edit,
		CallPattern: s.Program.CallPattern, Report: report}
	s.delivery = &deliver.Worker{Service: svc, Channels: open, Intake: intake, Report: report}
	s.callbacks = channels.Handler(intake)
	return nil
}

func (s *Server) callback(w http.ResponseWriter, r *http.Request) { s.callbacks.ServeHTTP(w, r) }

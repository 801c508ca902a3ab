package deliver

import (
	"context"
	"errors"
)

// Round brings all channels up to date once, as far as it is due.
func (w *Worker) Round(ctx context.Context) error {
	var failed error
	for name, c := range w.Channels {
		failed = errors.Join(failed, (&route{Worker: w, name: name, channel: c, open: map[string]bool{}}).round(ctx))
	}
	return failed
}

package additions

import (
	"context"
	"time"

	"github.com/trammel-dev/trammel"
)

// Date declares add_date.
func Date() trammel.Policy {
	return plain("add_date", "tells the model today's date, and when it changes", changing,
		func(_ context.Context, ev *trammel.Event) (string, error) {
			return "Today's date: " + ev.Now().Local().Format(time.DateOnly), nil
		})
}

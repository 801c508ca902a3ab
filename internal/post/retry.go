package post

import (
	"context"
	"errors"
	"net"
	"net/http"
	"strconv"
	"time"

	"github.com/trammel-dev/trammel/internal/pause"
)

// firstPause is the wait before the first retry, if the server does not say; it
// doubles with each further one.
const firstPause = 250 * time.Millisecond

// busy reports whether a status means that the call was not accepted, but may
// be later.
func (c *Client) busy(status int) bool {
	switch status {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	}
	return c.RetryErrors && status >= 500
}

// again decides whether to make another attempt, and after which pause.
func (c *Client) again(resp *Response, err error, attempt int) (time.Duration, bool) {
	if attempt > c.Retries || err != nil && !unconnected(err) || err == nil && !c.busy(resp.Status) {
		return 0, false
	}
	pause := firstPause << (attempt - 1)
	if err == nil {
		if asked, ok := retryAfter(resp.Header.Get("Retry-After")); ok {
			pause = asked
		}
	}
	return pause, true
}

// unconnected reports whether the call never reached the server.
func unconnected(err error) bool {
	var op *net.OpError
	return errors.As(err, &op) && op.Op == "dial" && !errors.Is(err, errPrivate)
}

// retryAfter reads the header of that name: seconds, or a date.
func retryAfter(text string) (time.Duration, bool) {
	if n, err := strconv.ParseUint(text, 10, 31); err == nil {
		return time.Duration(n) * time.Second, true
	}
	if at, err := http.ParseTime(text); err == nil {
		return max(0, time.Until(at)), true
	}
	return 0, false
}

// wait pauses, unless there would be no time left afterwards.
func wait(ctx context.Context, d time.Duration) bool {
	if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) <= d {
		return false
	}
	return pause.For(ctx, d)
}

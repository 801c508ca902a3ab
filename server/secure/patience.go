package secure

import (
	"errors"
	"io"
	"net"
	"net/http"
	"time"
)

// How long a client may take to send a request, and to take a part of the answer.
// Variables for tests.
var (
	bodyTime = 30 * time.Second
	partTime = 2 * time.Minute
)

// limited is a request whose body has to arrive in time. Nothing limits the wait
// for people that comes after it.
func limited(w http.ResponseWriter, r *http.Request) io.ReadCloser {
	if r.Body == nil || r.Body == http.NoBody {
		return r.Body
	}
	control := http.NewResponseController(w)
	control.SetReadDeadline(time.Now().Add(bodyTime)) // what has no deadlines has no slow clients
	return http.MaxBytesReader(w, &timed{r.Body, control}, MaxBody)
}

// timed removes the deadline at the end of the body. If the end never comes, or
// nobody reads to it, the connection ends with the deadline.
type timed struct {
	io.ReadCloser
	control *http.ResponseController
}

func (t *timed) Read(p []byte) (int, error) {
	n, err := t.ReadCloser.Read(p)
	if errors.Is(err, io.EOF) {
		t.control.SetReadDeadline(time.Time{})
	}
	return n, err
}

// Patient is a listener whose connections end if the other side takes nothing.
type Patient struct{ net.Listener }

// Accept implements net.Listener.
func (p Patient) Accept() (net.Conn, error) {
	c, err := p.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &taking{c}, nil
}

type taking struct{ net.Conn }

func (t *taking) Write(p []byte) (int, error) {
	if err := t.SetWriteDeadline(time.Now().Add(partTime)); err != nil {
		return 0, err
	}
	return t.Conn.Write(p)
}

package server

import (
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel/approvals"
)

// A refusal of every sort is answered, with its code and a status that says
// what to do about it.
func TestRefusalStatus(t *testing.T) {
	for code, want := range map[approvals.RefusalCode]int{
		approvals.RefusedUnknown: 404, approvals.RefusedDecided: 409, approvals.RefusedChanged: 409, approvals.RefusedExpired: 410,
		approvals.RefusedNotApprover: 403, approvals.RefusedRequester: 403, approvals.RefusedVoted: 409, approvals.RefusedComment: 422,
		approvals.RefusedGuard: 422, approvals.RefusedClock: 409, approvals.RefusedState: 409,
	} {
		w := httptest.NewRecorder()
		(&Server{}).failed(w, httptest.NewRequest("POST", "/v1/approvals/x/decision", nil), &approvals.Refusal{Code: code, Detail: "why"})
		if body := w.Body.String(); w.Code != want || !strings.Contains(body, `"code":"`+string(code)+`"`) {
			t.Errorf("%s: %d, %s", code, w.Code, body)
		}
	}
}

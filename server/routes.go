package server

import (
	"net/http"

	"github.com/trammel-dev/trammel/packs/process"
	"github.com/trammel-dev/trammel/server/auth"
	"github.com/trammel-dev/trammel/server/collect"
)

// route is a route of the server with its description in the OpenAPI document:
// both come from one table.
type route struct {
	method, path string
	role         auth.Role
	handle       http.HandlerFunc
	about        string
	query        []string // parameters, each with a line about it: "name: …"
	takes        any      // a value of the type of the body; nil for none
	gives        any      // a value of the type of the answer; a string is a media type
	statuses     []int    // in addition to 200 and those of every route
}

// anyStatus may be the status of every route, everyRole of each that needs a
// role.
var (
	anyStatus = []int{http.StatusForbidden, http.StatusMisdirectedRequest, http.StatusServiceUnavailable}
	everyRole = []int{http.StatusUnauthorized}
)

func (s *Server) routes() []route {
	list := []route{
		{"POST", "/v1/events", auth.Agent, s.events, "Judges an event: one in Trammel's own language, answered with the verdict, or " +
			"{host, event, dir, payload} in that of a host, answered with what its hook program would print. " +
			"The header Prefer: wait=SECONDS says how long the client waits, and so how long people have; the default is half a minute.",
			nil, Wrapped{}, Reply{}, []int{400, 413, 422}},
		{"POST", "/v1/control", auth.Agent, s.gives(s.control), "Judges a control call of a process (fst.control).", nil, process.Request{},
			process.Response{}, []int{400, 404, 413, 422}},
		{"GET", "/v1/control/{process}", auth.Agent, s.gives(s.contract), "Shows what an agent has to know about a process.", nil, nil,
			process.Contract{}, []int{404}},
		{"GET", "/v1/approvals", auth.Viewer, s.gives(s.listApprovals), "Lists approvals, newest first.",
			[]string{"q: a filter, as in state:pending tool:release", "before: the next of the last page"},
			nil, ApprovalList{}, []int{422}},
		{"GET", "/v1/approvals/{id}", auth.Viewer, s.gives(s.getApproval), "Shows an approval.", nil, nil, Approval{}, []int{404}},
		{"POST", "/v1/approvals/{id}/decision", auth.Viewer, s.gives(s.decide),
			"Approves or rejects. 409: decided already, or changed since it was shown; " +
				"410: expired; 401 with the code proof: a new proof is needed.", nil, Decision{}, Approval{}, []int{400, 404, 409, 410, 413, 422, 429}},
		{"POST", "/v1/approvals/{id}/cancel", auth.Approver, s.gives(s.cancel),
			"Cancels a pending request, or revokes an approval that was not used.",
			nil, nil, Approval{}, []int{404}},
		{"GET", "/v1/grants", auth.Viewer, s.gives(s.listGrants), "Lists permissions given in advance.", nil, nil, GrantList{}, nil},
		{"POST", "/v1/grants/{id}/revoke", auth.Approver, s.gives(s.revokeGrant), "Revokes a grant.", nil, nil, Grant{}, []int{404}},
		{"POST", "/v1/channels/{name}/callback", auth.Nobody, s.callback,
			"Receives callbacks from a channel's platform; the signature is the credential.",
			nil, nil, map[string]any{}, []int{401, 404, 409, 410, 413, 422}},
		{"GET", "/v1/evidence", auth.Viewer, s.gives(s.listEvidence), "Lists records, newest first.",
			[]string{"q: a filter, as in decision:deny since:2h", "before: the next of the last page"},
			nil, Evidence{}, []int{422}},
		{"GET", "/v1/hooks", auth.Viewer, s.gives(s.listHooks), "Lists the hooks in force in a directory.",
			[]string{"dir: the directory; without it, the hooks that apply everywhere"}, nil, HookList{}, []int{409, 422}},
		{"GET", "/v1/hosts", auth.Viewer, s.gives(s.listHosts), "Lists the known agents.", nil, nil, HostList{}, nil},
		{"GET", "/v1/stream", auth.Viewer, s.stream, "Server-sent events: record, approval, and reset, after which everything must be " +
			"fetched " +
			"again. Last-Event-ID resumes.", nil, nil, "text/event-stream", []int{429}},
		{"GET", "/v1/sessions", auth.Viewer, s.gives(s.listSessions), "Lists the sessions of people: your own, or all for an admin.", nil, nil,
			CredentialList{}, nil},
		{"POST", "/v1/sessions/{id}/revoke", auth.Viewer, s.gives(s.revokeSession), "Ends a session: your own, or any for an admin.", nil, nil,
			Health{},
			[]int{404}},
		{"GET", "/healthz", auth.Nobody, s.gives(s.healthz), "Reports that the process is running.", nil, nil, Health{}, nil},
		{"GET", "/readyz", auth.Nobody, s.readyz, "Reports that the server is ready.", nil, nil, Health{}, nil},
		{"GET", "/metrics", auth.Viewer, s.metrics.handler(), "Metrics for Prometheus.", nil, nil, "text/plain", nil},
		{"POST", "/login", auth.Nobody, s.Auth.Login, "Starts a session: with the form field secret (the authority secret) or link.", nil, nil,
			"",
			[]int{303, 401, 429}},
		{"POST", "/logout", auth.Nobody, s.Auth.Logout, "Ends the session.", nil, nil, "", []int{303}},
	}
	if s.collects {
		list = append(list,
			route{"GET", "/v1/collect/{log}", auth.Agent, s.gives(s.collectState), "Says how much of a log of the token's machine has arrived.", nil,
				nil,
				collect.State{}, []int{409}},
			route{"POST", "/v1/collect/{log}", auth.Agent, s.gives(s.collectTake),
				"Takes a part of a log of the token's machine. 409: it does not " +
					"follow what had arrived; the log was rolled back or changed.", nil, collect.Push{}, collect.State{}, []int{400, 409, 413, 422}})
	}
	if s.Auth.OIDC != nil {
		list = append(list,
			route{"GET", "/oidc/login", auth.Nobody, s.Auth.OIDCLogin, "Starts a login at the OIDC issuer.", []string{"next: where to go then"},
				nil, "", []int{303, 429}},
			route{"GET", "/oidc/callback", auth.Nobody, s.Auth.OIDCCallback, "Completes a login at the OIDC issuer.",
				[]string{"code: the issuer's", "state: ours"}, nil, "", []int{303, 401}})
	}
	return append(list, route{"GET", "/v1/openapi.json", auth.Nobody, func(w http.ResponseWriter, r *http.Request) {
		s.answer(w, s.document())
	}, "This document.", nil, nil, map[string]any{}, nil})
}

package web

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// MCP-40: a client of the official SDK asks its user about a call, in both eras,
// and the call goes on after a yes.
func TestSDKAsksItsUser(t *testing.T) {
	for name, options := range map[string]*sdk.StreamableHTTPOptions{"sessions": nil, "no sessions": {Stateless: true}} {
		t.Run(name, func(t *testing.T) {
			var called atomic.Int32
			server := sdk.NewServer(&sdk.Implementation{Name: "s", Version: "1"}, nil)
			sdk.AddTool(server, &sdk.Tool{Name: "asked"}, func(context.Context, *sdk.CallToolRequest, struct{}) (*sdk.CallToolResult, any, error) {
				called.Add(1)
				return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: "done"}}}, nil, nil
			})
			handler := sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return server }, options)
			behind := httptest.NewServer(handler)
			t.Cleanup(behind.Close)
			for _, agree := range []bool{true, false} {
				ctx, stop := context.WithTimeout(t.Context(), time.Minute)
				defer stop()
				asked := ""
				client := sdk.NewClient(&sdk.Implementation{Name: "c", Version: "1"}, &sdk.ClientOptions{
					ElicitationHandler: func(_ context.Context, r *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
						asked = r.Params.Message
						return &sdk.ElicitResult{Action: "accept", Content: map[string]any{"approve": agree}}, nil
					}})
				session, err := client.Connect(ctx, &sdk.StreamableClientTransport{Endpoint: guarded(t, behind.URL+"/mcp", nil),
					HTTPClient: &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}}, nil) // each request comes on another connection
				if err != nil {
					t.Fatal(err)
				}
				before := called.Load()
				got, err := session.CallTool(ctx, &sdk.CallToolParams{Name: "asked", Arguments: map[string]any{}})
				if err != nil || got.IsError == agree || (called.Load() > before) != agree || !strings.Contains(asked, "is this right?") {
					t.Errorf("agreed %v, revision %s: %+v, %v, asked %q", agree, session.InitializeResult().ProtocolVersion, got, err, asked)
				}
				session.Close()
			}
		})
	}
}

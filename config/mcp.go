package config

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/plan"
)

// MCPDecl says how the proxy treats MCP servers (MCP-36). Of each setting the
// highest layer that has it wins.
type MCPDecl struct {
	Servers map[string]*MCPServer `json:"servers,omitempty" jsonschema:"The servers, by the names that clients have for them; * applies to those that are not named."`
}

// MCPServer has the settings for one server.
type MCPServer struct {
	Pins                Choice `json:"pins,omitempty" enum:"observe,tofu,strict" jsonschema:"What happens to tools, prompts and instructions that are not accepted yet: observe lets them through, tofu accepts what a server offers the first time it is seen, strict accepts nothing. The default is tofu."`
	MaxMessage          Size   `json:"max_message,omitempty" jsonschema:"The largest message that is passed on: 64MiB by default."`
	CallsPerMinute      uint   `json:"calls_per_minute,omitempty" jsonschema:"How many calls the server may get in a minute, and how many requests it may make. There is no limit by default."`
	Sampling            Choice `json:"sampling,omitempty" enum:"allow,deny" jsonschema:"Whether the server may use the client's model. The default is deny."`
	SamplingTokens      uint   `json:"sampling_tokens,omitempty" jsonschema:"The most tokens that the client's model may generate for one request of the server. There is no limit by default."`
	Elicitation         Choice `json:"elicitation,omitempty" enum:"allow,deny" jsonschema:"Whether the server may ask the user. The default is allow."`
	Unknown             Choice `json:"unknown,omitempty" enum:"allow,deny" jsonschema:"Whether methods that Trammel does not know are passed on. The default is allow."`
	Env                 Choice `json:"env,omitempty" enum:"inherit,minimal" jsonschema:"Which variables the server gets: inherit, all but those of Trammel, or minimal. The default is inherit."`
	Auth                Choice `json:"auth,omitempty" enum:"relay,resource" jsonschema:"How a server that is reached over HTTP is authorized: relay passes the client's credentials to it, resource keeps them and uses the proxy's own."`
	AuthorizationServer Text   `json:"authorization_server,omitempty" jsonschema:"With auth: resource, the address of the authorization server whose tokens clients send. Without it they send the token in TRAMMEL_MCP_TOKEN."`
	Audience            Text   `json:"audience,omitempty" jsonschema:"The audience that tokens of the authorization server must have. The default is the address at which clients reach the proxy."`
	Elicit              bool   `json:"elicit,omitempty" jsonschema:"Whether the client's user is asked, in the client, if a rule asks about a call and nobody else can be asked. The default is false: such a call is denied."`
}

// mcp takes the settings for servers from the layers.
func (c *compiler) mcp(s *plan.Settings, set map[string]*unit) {
	servers := map[string]map[string]any{}
	for _, u := range c.units {
		if u.MCP == nil {
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(u.MCP.Servers)) {
			d := u.MCP.Servers[name]
			if d == nil {
				continue
			}
			if servers[name] == nil {
				servers[name] = map[string]any{}
			}
			for field, value := range reflect.ValueOf(d).Elem().Fields() {
				key, _, _ := strings.Cut(field.Tag.Get("json"), ",")
				if c.takes(set, u, "mcp.servers."+name+"."+key, value.Addr().Interface()) {
					servers[name][key] = value.Interface()
				}
			}
		}
	}
	if len(servers) > 0 {
		text, _ := json.Marshal(servers) // plain texts and numbers
		s.MCP = string(text)
	}
}

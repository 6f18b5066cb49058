extension Everything {
    /// OpenAPI 3.1 as JSON.
    static let text = #"""
        {
          "openapi": "3.1.0", "jsonSchemaDialect": "https://spec.openapis.org/oas/3.1/dialect/base",
          "info": {
            "title": "Kinds", "version": "1", "summary": "All kinds.", "description": "Of objects.",
            "termsOfService": "https://kinds.example/terms",
            "contact": {"name": "Ann", "email": "ann@kinds.example", "url": "https://kinds.example"},
            "license": {"name": "MIT", "identifier": "MIT", "url": "https://kinds.example/mit"}
          },
          "servers": [
            {
              "url": "https://{host}.kinds.example", "description": "Sandbox",
              "variables": {"host": {"default": "api", "enum": ["api", "eu"], "description": "The host."}}
            }
          ],
          "tags": [
            {"name": "things", "description": "All things.", "externalDocs": {"url": "https://kinds.example/things", "description": "More"}}
          ],
          "externalDocs": {"url": "https://kinds.example/docs", "description": "More"},
          "security": [{"login": ["read"]}],
          "webhooks": {"made": {"post": {"responses": {"200": {"description": "Fine"}}}}},
          "paths": {
            "/things/{id}": {
              "summary": "A thing", "description": "One thing.",
              "parameters": [{"$ref": "#/components/parameters/id", "description": "Its number."}],
              "get": {
                "operationId": "getThing", "tags": ["things"], "summary": "Gets a thing", "description": "The whole of it.",
                "deprecated": true, "externalDocs": {"url": "https://kinds.example/get", "description": "More"},
                "parameters": [
                  {"name": "only", "in": "query", "style": "pipeDelimited", "explode": false, "description": "Which parts.", "required": true, "deprecated": true, "allowEmptyValue": true, "allowReserved": true, "example": ["a"], "schema": {"type": "array", "items": {"type": "string"}}},
                  {"name": "how", "in": "header", "examples": {"short": {"value": "short"}}, "content": {"application/json": {"schema": {"type": "object"}}}}
                ],
                "responses": {
                  "200": {
                    "description": "The thing.",
                    "headers": {"X-Left": {"description": "How many are left.", "required": true, "deprecated": true, "example": 3, "schema": {"type": "integer"}}},
                    "content": {
                      "application/json": {
                        "schema": {"$ref": "#/components/schemas/Thing"},
                        "examples": {"one": {"summary": "One", "description": "A thing.", "value": {"kind": "box", "size": 3}}, "two": {"$ref": "#/components/examples/two", "summary": "Two"}}
                      },
                      "application/x-thing": {"schema": {"type": "integer"}}
                    },
                    "links": {"next": {"operationId": "makeThing"}}
                  },
                  "404": {"$ref": "#/components/responses/none", "description": "No such thing."}
                }
              }
            },
            "/things": {
              "servers": [{"url": "https://files.kinds.example", "description": "Files"}],
              "post": {
                "operationId": "makeThing", "security": [{"key": []}, {"other": ["write"]}],
                "requestBody": {
                  "description": "The new thing.", "required": true,
                  "content": {
                    "multipart/form-data": {
                      "schema": {"type": "object", "required": ["file"], "properties": {"file": {"type": "string", "format": "binary", "description": "The thing itself."}, "note": {"type": "object", "properties": {"text": {"type": "string"}}}}},
                      "encoding": {"file": {"contentType": "image/png", "headers": {"X-Name": {"schema": {"type": "string"}}}}, "note": {"style": "deepObject", "explode": true}}
                    }
                  }
                },
                "responses": {"201": {"description": "Made."}, "default": {"description": "Not made."}},
                "callbacks": {"done": {"{$request.body#/url}": {}}}
              },
              "trace": {"responses": {"200": {"description": "Fine"}}}
            },
            "/pets": {
              "get": {
                "operationId": "getPet", "security": [],
                "parameters": [{"name": "kinds", "in": "query", "explode": false, "schema": {"type": "array", "items": {"type": "string"}}}],
                "responses": {
                  "200": {"description": "A pet.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Pet"}}}}
                }
              }
            },
            "/tags": {
              "post": {
                "operationId": "setTags",
                "requestBody": {"required": true, "content": {"application/x-www-form-urlencoded": {"schema": {"type": "object", "required": ["tags"], "properties": {"tags": {"type": "array", "items": {"type": "string"}}}}, "encoding": {"tags": {"explode": false}}}}},
                "responses": {"204": {"description": "Set."}}
              }
            },
            "/marks": {
              "post": {
                "operationId": "mark",
                "requestBody": {"required": false, "content": {"application/xml": {"schema": {"$ref": "#/components/schemas/Mark"}}}},
                "responses": {"204": {"description": "Marked."}}
              }
            }
          },
          "components": {
            "parameters": {"id": {"name": "id", "in": "path", "required": true, "description": "A number.", "schema": {"type": "string", "minLength": 2, "maxLength": 9, "pattern": "^[a-z]+$"}}},
            "examples": {"two": {"value": {"kind": "bag"}}},
            "responses": {"none": {"description": "Nothing."}, "unused": {"description": "Nothing."}},
            "securitySchemes": {
              "login": {
                "type": "oauth2", "description": "The usual login.",
                "flows": {"authorizationCode": {"authorizationUrl": "https://kinds.example/auth", "tokenUrl": "https://kinds.example/token", "refreshUrl": "https://kinds.example/refresh", "scopes": {"read": "Reads."}}}
              },
              "key": {"type": "apiKey", "in": "header", "name": "X-Key", "description": "A key."},
              "other": {
                "type": "oauth2", "description": "Another login.",
                "flows": {"clientCredentials": {"tokenUrl": "https://kinds.example/other", "scopes": {"write": "Writes."}}}
              },
              "unneeded": {"type": "http", "scheme": "bearer", "bearerFormat": "JWT"}
            },
            "schemas": {
              "Thing": {
                "$id": "https://kinds.example/thing", "$schema": "https://json-schema.org/draft/2020-12/schema", "$comment": "A thing.", "$anchor": "thing",
                "$defs": {"Size": {"type": "integer", "format": "int32", "minimum": 0, "maximum": 9, "multipleOf": 3, "default": 3}},
                "title": "Thing", "description": "A thing.", "externalDocs": {"url": "https://kinds.example/thing", "description": "More"},
                "type": "object", "required": ["kind"], "minProperties": 1, "deprecated": true, "example": {"kind": "box"},
                "properties": {
                  "kind": {"type": "string", "enum": ["box", "bag"], "x-enum-varnames": ["aBox", "aBag"]},
                  "state": {"type": "string", "x-extensible-enum": ["new", "old"]},
                  "size": {"$ref": "#/components/schemas/Thing/$defs/Size", "description": "In meters.", "readOnly": true},
                  "secret": {"type": "string", "writeOnly": true, "format": "password"},
                  "file": {"type": "string", "contentEncoding": "base64"},
                  "list": {"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": 9, "uniqueItems": true, "contains": {"const": "a"}, "minContains": 1, "maxContains": 2, "unevaluatedItems": false},
                  "pair": {"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}]},
                  "map": {"type": "object", "additionalProperties": {"type": "number", "exclusiveMinimum": 0.5, "exclusiveMaximum": 9}, "maxProperties": 9, "propertyNames": {"pattern": "^a"}},
                  "other": {"type": "object", "patternProperties": {"^a": {"type": "string"}}},
                  "rest": {"type": "object", "properties": {"a": {"type": "string"}}, "dependentRequired": {"a": ["b"]}, "dependentSchemas": {"a": {}}, "if": {"required": ["a"]}, "then": {"required": ["b"]}, "else": {"required": ["c"]}, "not": {"required": ["d"]}},
                  "both": {"allOf": [{"$ref": "#/components/schemas/Named"}, {"description": "Both.", "default": "x"}]},
                  "any": {"anyOf": [{"type": "string"}, {"type": "integer"}]},
                  "text": {"type": ["string", "null"], "const": "hello"}
                }
              },
              "Named": {"$dynamicAnchor": "named", "type": "string", "minLength": 1},
              "Unused": {"type": "string"},
              "Pet": {
                "oneOf": [{"$ref": "#/components/schemas/Cat"}, {"$ref": "#/components/schemas/Dog"}],
                "discriminator": {"propertyName": "kind", "mapping": {"cat": "#/components/schemas/Cat", "hound": "#/components/schemas/Dog", "bird": "#/components/schemas/Named"}}
              },
              "Cat": {"type": "object", "required": ["kind"], "properties": {"kind": {"type": "string"}, "lives": {"type": "integer"}}},
              "Dog": {"type": "object", "required": ["kind"], "properties": {"kind": {"type": "string"}, "name": {"type": "string"}}, "unevaluatedProperties": {"type": "string"}},
              "Mark": {"type": "object", "xml": {"name": "mark", "namespace": "https://kinds.example/mark", "prefix": "m"}, "properties": {"made": {"type": "string", "readOnly": true}, "id": {"type": "string", "xml": {"attribute": true}}, "parts": {"type": "array", "items": {"type": "string", "xml": {"name": "part"}}, "xml": {"wrapped": true}}}}
            }
          }
        }
        """#
}

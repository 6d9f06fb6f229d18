# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A JSON schema by which what it does not name is wrong."""


def closed(schema):
    """The same schema, by which a key that it does not name is a violation, too."""
    if isinstance(schema, list):
        return [closed(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    properties = {"additionalProperties": False} if isinstance(schema.get("properties"), dict) else {}
    return {**{key: closed(each) for key, each in schema.items()}, **properties}

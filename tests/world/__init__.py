"""One world of conversations, spelled by hand in the formats of providers, and one driver that asks for every promise.

A case is one value for each factor: source, target, kinds of parts, a fault, each option of `prepare`. `pairs.py` makes
the cases, `conversation.py` makes a case neutral turns, `spell/` says them in a format, `drive.py` prepares them, and
`promises.py` judges what came. Nothing here uses turnwire to write a request.
"""

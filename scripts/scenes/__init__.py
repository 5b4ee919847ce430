"""Scenes of our own that look like photographs, rendered from formulas without chance."""

from scenes.indoors import fruit, room
from scenes.outdoors import mountains, street
from scenes.portrait import portrait

# How each is rendered, and in which size.
SCENES = {
    "mountains": (mountains, 900, 600),
    "street": (street, 600, 800),
    "room": (room, 660, 440),
    "portrait": (portrait, 600, 800),
    "fruit": (fruit, 720, 480),
}

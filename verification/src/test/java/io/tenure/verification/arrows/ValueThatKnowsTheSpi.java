package io.tenure.verification.arrows;

import io.tenure.verification.arrows.spi.Port;

record ValueThatKnowsTheSpi(Port port) {}

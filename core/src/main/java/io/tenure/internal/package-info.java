/**
 * The engine. Exported by no module; nothing here is API.
 */
@NullMarked
package io.tenure.internal;

import org.jspecify.annotations.NullMarked;

/* Of what is drawn, nothing is cut. */
vec4 whole;

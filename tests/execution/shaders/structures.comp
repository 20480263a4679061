// Structures, vectors and matrices that are copied whole, and an early return.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Values { uint values[]; };

struct State { vec2 position; float weight; };

State walk(State given, float x, out float y) {
    State state = given;
    y = x;
    if (x > 3.0) {
        y = state.position.x;
        state.weight += 1.0;
    } else if (x > 1.0) {
        y = x * 2.0;
        return given;
    }
    for (int i = 0; i < 4; i++) {
        y += float(i) * x;
        state.position = vec2(y, state.weight);
    }
    return state;
}

void main() {
    uint at = gl_GlobalInvocationID.x;
    State state = State(vec2(1.0, 2.0), 3.0);
    State before = state;
    float walked;
    state = walk(state, float(values[at] % 7u), walked);
    vec3 color = vec3(walked, state.weight, state.position.y);
    vec3 lit = color;
    if (walked > 10.0) {
        lit = color * 2.0;
        before = state;
    }
    mat2 turned = mat2(lit.x, lit.y, lit.z, 1.0);
    if (lit.x > 20.0)
        turned = turned * 2.0;
    values[at] = floatBitsToUint(turned[0].x + turned[1].y + before.weight + lit.z);
}
